import ConvertParityVectors

/// `convert-sdk vectors`.
struct VectorsCommand {
    private let paths: [String]

    init(_ arguments: [String]) throws {
        paths = try Arguments(arguments, valued: [], flags: [], command: "vectors").operands
        if paths.isEmpty { throw UsageError("no vector files given; give .json files or folders of them") }
    }

    func run() async -> ExitCode {
        let tally = await VectorRunner(report: { print($0) }).run(paths: paths)
        print("\(tally.passed) passed, \(tally.failed) failed")
        return tally.failed == 0 && tally.passed > 0 ? .done : .answerIsNo
    }
}
