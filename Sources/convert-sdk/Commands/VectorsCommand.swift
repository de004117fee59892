import ConvertParityVectors

/// `convert-sdk vectors`.
struct VectorsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "vectors", summary: "replay recorded answers of the reference engines",
        discussion: """
            Replays vector files, or every .json file in folders, against this SDK. Prints a line per mismatch and \
            ends with 'N passed, N failed'. In folders, JSON files without a 'kind' are passed over and \
            counted.
            """,
        operands: CommandDeclaration.Operands(
            name: "PATH", meaning: "a vector file, or a folder of them", count: 1...Int.max, candidates: .files),
        remarks: "Exits with 0 only if nothing failed and at least one case ran.")

    private let paths: [String]

    init(_ arguments: Arguments) { paths = arguments.operands }

    func run() async -> ExitCode {
        let runner = VectorRunner(report: { Console.print("\($0)") }) { progress in
            let counts = "\(progress.tally.passed) passed, \(progress.tally.failed) failed"
            Console.showProgress("\(progress.fileCount) of \(progress.knownFileCount) files, \(counts)")
        }
        let tally = await runner.run(paths: paths)
        Console.endProgress()
        if tally.skippedFiles > 0 { Console.print("passed over \(tally.skippedFiles) JSON files without a 'kind'") }
        Console.print("\(tally.passed) passed, \(tally.failed) failed")
        return tally.failed == 0 && tally.passed > 0 ? .done : .answerIsNo
    }
}
