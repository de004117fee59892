/// The name, arguments and description of a command.
struct CommandDeclaration: Sendable {
    /// The operands of a command.
    struct Operands: Sendable {
        /// The name of an operand in usage lines.
        let name: String
        let meaning: String
        let count: ClosedRange<Int>
        /// The name in usage lines of the operands after the first, if it differs.
        var others: String?
        /// The whole text for usage lines, if it does not follow from the other properties.
        var spelling: String?
        var candidates = OptionDeclaration.Candidates.none

        /// A single operand that names a case of a type.
        static func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _ type: Choice.Type, _ meaning: String
        ) -> Operands {
            let names = Choice.allCases.map(\.rawValue)
            return Operands(
                name: names.joined(separator: "|"), meaning: meaning, count: 1...1, candidates: .names { names })
        }

        fileprivate var usage: String {
            if let spelling { return spelling }
            let first = count.lowerBound == 0 ? "[\(name)]" : name
            if let others { return "\(first) [\(others)…]" }
            return count.upperBound > 1 ? first + "…" : first
        }
    }

    let name: String
    /// The command's purpose, in a few words.
    let summary: String
    /// The first text of the help page.
    let discussion: String
    var operands: Operands?
    var options: [OptionDeclaration] = []
    /// The last text of the help page.
    var remarks: String?

    /// The declared options, and the help option of every command.
    var allOptions: [OptionDeclaration] { options + [.help] }

    /// The operands and options, as the usage line shows them.
    var usage: String {
        let required = options.filter(\.isRequired).map { $0.name + ($0.value.map { " \($0.name)" } ?? "") }
        let isMore = options.contains { !$0.isRequired }
        return ([operands?.usage].compactMap(\.self) + required + (isMore ? ["[OPTION…]"] : [])).joined(separator: " ")
    }

    /// The option with this name; `nil` if the command has no such option.
    func option(_ name: String) -> OptionDeclaration? { allOptions.first { $0.name == name } }

    /// The option with this short form; `nil` if the command has no such option.
    func option(_ letter: Character) -> OptionDeclaration? { allOptions.first { $0.letter == letter } }
}
