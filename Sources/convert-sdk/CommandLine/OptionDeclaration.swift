import ConvertSwiftSDKCore

/// An option: how it is spelled, what it takes and what it means.
struct OptionDeclaration: Sendable {
    /// What a shell may offer in a place.
    enum Candidates: Sendable {
        case none
        case files
        case names(@Sendable () -> [String])
        /// What the project config has, of which the command line tells the place.
        case config(@Sendable (ProjectConfig) -> [String])
    }

    /// What stands behind an option.
    struct Value: Sendable {
        /// How help pages call it.
        let name: String
        let candidates: Candidates
        /// What it may be, for the help page.
        fileprivate var choices: String?

        /// The path of a file.
        static let file = Value(name: "FILE", candidates: .files)
        /// JSON, or the path of a file with it.
        static let fileOrJSON = Value(name: "FILE|JSON", candidates: .files)

        /// Any text.
        static func text(_ name: String) -> Value { Value(name: name, candidates: .none) }

        /// The name of a case, which is `standard` if none is given, and there is one.
        static func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _ type: Choice.Type, default standard: Choice? = nil
        ) -> Value {
            let names = Choice.allCases.map(\.rawValue)
            let choices = names.map { $0 == standard?.rawValue ? "\($0) (default)" : $0 }.joined(separator: ", ")
            return Value(name: "NAME", candidates: .names { names }, choices: choices)
        }

        init(name: String, candidates: Candidates, choices: String? = nil) {
            self.name = name
            self.candidates = candidates
            self.choices = choices
        }
    }

    /// With its dashes.
    let name: String
    /// Of the short form.
    let letter: Character?
    /// `nil` for a flag.
    let value: Value?
    let isRepeatable: Bool
    /// Whether usage lines have it.
    let isRequired: Bool
    private(set) var meaning: String

    /// An option with a value.
    init(
        _ name: String, _ letter: Character?, _ value: Value, isRepeatable: Bool = false, isRequired: Bool = false,
        _ meaning: String
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
        self.meaning = value.choices.map { "\(meaning): \($0)" } ?? meaning
    }

    /// A flag.
    init(_ name: String, _ letter: Character?, _ meaning: String) {
        self.name = name
        self.letter = letter
        value = nil
        isRepeatable = false
        isRequired = false
        self.meaning = meaning
    }

    /// What every command has.
    static let help = OptionDeclaration("--help", "h", "print this page")

    /// The same option, which is only taken `condition`, such as `with --log`.
    func only(_ condition: String) -> OptionDeclaration {
        var option = self
        option.meaning = "\(condition): \(meaning)"
        return option
    }

    /// How help pages spell it.
    var spelling: String {
        (letter.map { "-\($0), " } ?? "    ") + name + (value.map { " \($0.name)" } ?? "")
    }
}
