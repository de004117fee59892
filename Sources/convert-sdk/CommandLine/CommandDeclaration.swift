/// What a command is called, what it takes and what it is for.
struct CommandDeclaration: Sendable {
    /// What a command takes besides options.
    struct Operands: Sendable {
        /// How usage lines call them.
        let name: String
        let meaning: String
        let count: ClosedRange<Int>
        /// How usage lines call those behind the first one, if they are something else.
        var others: String?
        /// What usage lines say instead, where the number is given by what they mean.
        var spelling: String?
        var candidates = OptionDeclaration.Candidates.none

        /// One name among the cases of a type.
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
    /// What it does, in a few words.
    let summary: String
    /// What a help page says first.
    let discussion: String
    var operands: Operands?
    var options: [OptionDeclaration] = []
    /// What a help page says last.
    var remarks: String?

    /// The options, with the one that every command has.
    var allOptions: [OptionDeclaration] { options + [.help] }

    /// What must and what may be given, as a usage line shows it.
    var usage: String {
        let required = options.filter(\.isRequired).map { $0.name + ($0.value.map { " \($0.name)" } ?? "") }
        let isMore = options.contains { !$0.isRequired }
        return ([operands?.usage].compactMap(\.self) + required + (isMore ? ["[OPTION…]"] : [])).joined(separator: " ")
    }

    /// The declared option that is spelled `name`.
    func option(_ name: String) -> OptionDeclaration? { allOptions.first { $0.name == name } }

    /// The declared option with the short form `letter`.
    func option(_ letter: Character) -> OptionDeclaration? { allOptions.first { $0.letter == letter } }
}
