import ConvertParityVectors

/// `convert-sdk vectors`.
struct VectorsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "vectors", summary: "replay recorded answers of the reference engines", usage: "PATH…",
        discussion: """
            Replays vector files, or every .json file in folders, against this SDK. Prints a line per mismatch and ends \
            with 'N passed, N failed'.
            """,
        operands: CommandDeclaration.Operands(
            name: "PATH", meaning: "a vector file, or a folder of them", count: 1...Int.max, candidates: .files),
        remarks: "Exits with 0 only if nothing failed and at least one case ran.")

    private let paths: [String]

    init(_ arguments: Arguments) { paths = arguments.operands }

    func run() async -> ExitCode {
        let tally = await VectorRunner(report: { Console.print($0) }).run(paths: paths)
        Console.print("\(tally.passed) passed, \(tally.failed) failed")
        return tally.failed == 0 && tally.passed > 0 ? .done : .answerIsNo
    }
}
