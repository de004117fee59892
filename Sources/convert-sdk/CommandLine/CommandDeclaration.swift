/// What a command is called, what it takes and what it is for.
struct CommandDeclaration: Sendable {
    /// What a command takes besides options.
    struct Operands: Sendable {
        /// How usage lines call them.
        let name: String
        let meaning: String
        let count: ClosedRange<Int>
        var candidates = OptionDeclaration.Candidates.none
    }

    let name: String
    /// What it does, in a few words.
    let summary: String
    /// What must be given, as a usage line shows it.
    let usage: String
    /// What a help page says first.
    let discussion: String
    var operands: Operands?
    var options: [OptionDeclaration] = []
    /// What a help page says last.
    var remarks: String?

    /// The options, with the one that every command has.
    var allOptions: [OptionDeclaration] { options + [.help] }

    /// The declared option that is spelled `name`.
    func option(_ name: String) -> OptionDeclaration? { allOptions.first { $0.name == name } }

    /// The declared option with the short form `letter`.
    func option(_ letter: Character) -> OptionDeclaration? { allOptions.first { $0.letter == letter } }
}
