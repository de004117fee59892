import ConvertSwiftSDKCore

/// The name, value and meaning of an option.
struct OptionDeclaration: Sendable {
    /// The completions that a shell may offer.
    enum Candidates: Sendable {
        case none
        case files
        case names(@Sendable () -> [String])
        /// Names from the project config, whose file the command line names.
        case config(@Sendable (ProjectConfig) -> [String])
    }

    /// The value of an option.
    struct Value: Sendable {
        /// The name of the value in help pages.
        let name: String
        let candidates: Candidates
        /// The possible values, for the help page.
        fileprivate var choices: String?

        /// The path of a file.
        static let file = Value(name: "FILE", candidates: .files)
        /// JSON, or the path of a JSON file.
        static let fileOrJSON = Value(name: "FILE|JSON", candidates: .files)

        /// Any text.
        static func text(_ name: String) -> Value { Value(name: name, candidates: .none) }

        /// The name of a case of a type. If the option is missing, the command uses `standard`, if it is not `nil`.
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

    /// The name with its dashes.
    let name: String
    /// The letter of the short form; `nil` if there is no short form.
    let letter: Character?
    /// The value; `nil` for a flag.
    let value: Value?
    let isRepeatable: Bool
    /// Whether usage lines show the option.
    let isRequired: Bool
    private(set) var meaning: String

    /// Creates an option with a value.
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

    /// Creates a flag.
    init(_ name: String, _ letter: Character?, _ meaning: String) {
        self.name = name
        self.letter = letter
        value = nil
        isRepeatable = false
        isRequired = false
        self.meaning = meaning
    }

    /// The option that every command has.
    static let help = OptionDeclaration("--help", "h", "print this page")

    /// The same option, which is only taken `condition`, such as `with --log`.
    func only(_ condition: String) -> OptionDeclaration {
        var option = self
        option.meaning = "\(condition): \(meaning)"
        return option
    }

    /// The option as help pages show it.
    var spelling: String {
        (letter.map { "-\($0), " } ?? "    ") + name + (value.map { " \($0.name)" } ?? "")
    }
}
