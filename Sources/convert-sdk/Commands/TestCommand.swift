import ConvertAnalysis
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk test`.
struct TestCommand: Command {
    private static let record = OptionDeclaration(
        "--record", nil, "instead of testing, print a file of tests with today's answers for --visitors")
    private static let visitors = OptionDeclaration(
        "--visitors", nil, .file, "with --record: the visitors, as 'convert-sdk assign' reads them; - is standard input"
    )
    private static let format = CommonOption.format.only("with --record")
    private static let features = OptionDeclaration(
        "--features", "f", "with --record: also record the visitors' features")
    private static let junit = OptionDeclaration(
        "--junit", nil, .file, "also write the results as JUnit XML")

    static let declaration = CommandDeclaration(
        name: "test", summary: "test a project config against expected answers",
        discussion: """
            Decides visitors of test files and compares the answers with those that are expected. A test is an object \
            {"name": …, "visitorId": …, "attributes": {…}, "locationProperties": {…}, "stored": {…}, "environment": …, \
            "decisions": {…}}, where decisions has a variation's key, or null, for each experience to compare, and \
            features may have what 'assign --features' writes. A file \
            is an object with the member tests, a list of these, and may have comments; or it is a decision log, a \
            test in each line.
            """,
        operands: CommandDeclaration.Operands(
            name: "TESTS", meaning: "files of tests", count: 0...1_000, spelling: "TESTS…", candidates: .files),
        options: ConfigOption.declarations + [junit, record, visitors, features, format],
        remarks: """
            A test decides all experiences in the order of the config, as one request does, and compares what it \
            names. Its environment is its own, or else that of --environment. A line of a decision log is a test as it \
            is, also in a list; in a log it is decided as its call was. An answer that a withheld property may have \
            decided cannot be known, and does not fail. Each failure is printed with every step of the decision; a \
            name that the config does not have is printed once, with the number of tests that fail because of it. \
            --record writes the decisions of all experiences, and with --features the features too. Exits with 1 if a \
            test fails.
            """)

    private let config: ConfigOption
    private let environment: String?
    private let semantics: RuleSemantics?
    private let files: [String]
    private let visitors: String?
    private let format: PopulationFormat
    private let includesFeatures: Bool
    private let report: String?

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        environment = arguments.environment
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self)
        files = arguments.operands
        report = arguments[Self.junit]
        visitors = arguments[Self.visitors]
        includesFeatures = arguments.has(Self.features)
        format = try arguments.format()
        if arguments.has(Self.record) {
            guard visitors != nil else { throw UsageError("\(Self.record.name) needs \(Self.visitors.name)") }
            guard files.isEmpty, report == nil else {
                throw UsageError("\(Self.record.name) takes neither TESTS nor \(Self.junit.name)")
            }
        } else {
            if arguments[Self.format] != nil { throw UsageError("\(Self.format.name) goes with \(Self.record.name)") }
            if includesFeatures { throw UsageError("\(Self.features.name) goes with \(Self.record.name)") }
            guard visitors == nil else { throw UsageError("\(Self.visitors.name) goes with \(Self.record.name)") }
            guard !files.isEmpty else {
                throw UsageError("TESTS is missing: files of tests; or give \(Self.record.name)")
            }
        }
    }

    func run() async throws -> ExitCode {
        if let visitors { return try await recordAnswers(of: visitors) }
        let suites = try files.map { (name: $0, tests: try ConfigTest.read($0, for: "TESTS", in: environment)) }
        let config = try await config.load(decides: false).config
        suites.flatMap(\.tests).complainOfEnvironments(in: config)
        let replay = DecisionReplay(config, semantics: semantics)
        let names = StoredNames(config)
        var results: [JUnitReport.Suite] = []
        var (passed, failed, unknowable) = (0, 0, 0)
        var unknownNames: [String: Int] = [:]
        var failures: [(test: ConfigTest, failures: [ConfigTest.Failure])] = []
        for suite in suites {
            var result = JUnitReport.Suite(name: suite.name)
            for test in suite.tests {
                for warning in names.warnings(ofKeysIn: test.storedState) {
                    Console.complain("warning: \(test.name.excerpt(80)): stored: \(warning)")
                }
                let outcome = try test.outcome(by: replay, on: config)
                result.cases.append((test.name, outcome))
                switch outcome {
                case .passed: passed += 1
                case .unknowable: unknowable += 1
                case .failed(let found):
                    failed += 1
                    for message in Set(found.filter(\.isOfUnknownName).map(\.message)) {
                        unknownNames[message, default: 0] += 1
                    }
                    let others = found.filter { !$0.isOfUnknownName }
                    if !others.isEmpty { failures.append((test, others)) }
                }
            }
            results.append(result)
        }
        // Grouped by message, because a single renamed entity fails many tests, which would hide other failures.
        for (message, count) in unknownNames.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            Console.print("\("failed".styled(.bad)) \(count.counted("test")): \(message)")
        }
        for failure in failures { print(failure.failures, of: failure.test) }
        if let report { try OutputFile.write(JUnitReport(results).source, to: report, for: Self.junit.name) }
        Console.print("\(passed) passed, \(failed) failed\(DecisionReplay.unknowableText(unknowable))")
        if passed + failed + unknowable == 0 {
            throw UsageError("TESTS: there is no test in the files; write some with \(Self.record.name)")
        }
        return failed == 0 ? .done : .answerIsNo
    }

    private func print(_ failures: [ConfigTest.Failure], of test: ConfigTest) {
        Console.print("\("failed".styled(.bad)) \(test.name)")
        for failure in failures {
            Console.print("    \(failure.message)")
            for line in failure.explanation { Console.print("      \(line.styled)") }
        }
    }

    /// Prints a file with the current answers for its visitors.
    private func recordAnswers(of path: String) async throws -> ExitCode {
        var options = PopulationAssignment.Options()
        options.environment = config.decisionEnvironment
        options.repeatsVisitors = true
        options.includesFeatures = includesFeatures
        let assignment = try PopulationAssignment(try await config.load(), options: options)
        let source = try ByteInput(path, for: Self.visitors.name)
        let output = Mutex(Data())
        let tally = try source.naming {
            // Safe: `ByteInput` writes only within the buffer, and only during the call. `output` copies its bytes.
            try unsafe assignment.run(
                format, threads: 1, read: { try unsafe source.read(into: $0) },
                write: { bytes in output.withLock { unsafe $0.append(contentsOf: bytes) } })
        }
        source.endBySignalIfAny()
        if let error = tally.firstErrors.first {
            throw UsageError("\(Self.visitors.name): line \(error.record) is not a valid visitor: \(error.error)")
        }
        tally.complainOfIgnoredStored()
        let lines = output.withLock { $0 }.split(separator: UInt8(ascii: "\n"))
        var counts: [PropertyKey: Int] = [:]
        Console.print("{\"tests\": [")
        for (index, line) in lines.enumerated() {
            let members = try JSValue(json: Data(line)).objectValue ?? JSObject()
            let id = members["visitorId"]?.stringValue ?? ""
            counts[PropertyKey(id), default: 0] += 1
            let count = counts[PropertyKey(id)] ?? 1
            var test: JSObject = ["name": .string(count > 1 ? "\(id) (\(count))" : id)]
            // A test is not about the config that gave its answers.
            for member in members where !["config", "call"].contains(member.key.name) {
                test[member.key] = member.value
            }
            let comma = index + 1 < lines.count ? "," : ""
            Console.print(json: "  " + ECMAScript.jsonText(keepingNumbersOf: .object(test)) + comma)
        }
        Console.print("]}")
        return .done
    }
}
