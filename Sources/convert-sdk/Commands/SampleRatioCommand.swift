import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk srm`.
struct SampleRatioCommand: Command {
    private static let experience = OptionDeclaration(
        "--experience", "e",
        OptionDeclaration.Value(name: "KEY", candidates: .config { $0.experiences.compactMap(\.key) }),
        isRequired: true,
        "the experience, by key or id")
    private static let counts = OptionDeclaration(
        "--counts", nil, .fileOrJSON, isRequired: true,
        #"the visitors of each variation, by key or id: {"original": 5012, "green": 4988}"#)
    private static let sequential = OptionDeclaration(
        "--sequential", nil, "use a test that holds although counts are looked at again and again")
    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")

    static let declaration = CommandDeclaration(
        name: "srm", summary: "test counts for a sample ratio mismatch",
        discussion: """
            Tests whether an experience's visitors are shared among its variations as the config allocates them, by \
            Pearson's chi-square test, or exactly where counts are small. A probability below 0.001 is a mismatch: \
            the experiment's results cannot be trusted before its cause is found.
            """,
        options: ConfigOption.declarations + [experience, counts, sequential, json],
        remarks: """
            Pearson's test holds for one look at the end. With --sequential it is the test of Lindon and Malek \
            (Anytime-Valid Inference for Multinomial Count Data, NeurIPS 2022), which may be looked at at any time.
            A variation that is not named in the counts has none. Exits with 1 if there is a mismatch.
            """)

    private let config: ConfigOption
    private let experience: String
    private let counts: String
    private let isSequential: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        experience = try arguments.required(Self.experience)
        counts = try arguments.required(Self.counts)
        isSequential = arguments.has(Self.sequential)
        printsJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let config = try await config.load(decides: false).config
        guard let model = config.experience(named: experience) else {
            throw UsageError("\(UnknownName("experience", experience, among: config.experiences.compactMap(\.key)))")
        }
        let report: SampleRatioReport
        do {
            report = try SampleRatioReport(of: model, counts: readCounts(), isSequential: isSequential)
        } catch let error as SampleRatioError {
            throw UsageError("\(Self.counts.name): \(error)")
        }
        if printsJSON { try Console.printJSON(report) } else { printForPeople(report) }
        return report.result.isMismatch ? .answerIsNo : .done
    }

    private func readCounts() throws(UsageError) -> [(name: String, count: Int)] {
        let (value, repeated) = try InputFile.readMembers(counts, for: Self.counts.name)
        if let repeated { throw UsageError("\(Self.counts.name): '\(repeated)' has two counts; give one") }
        guard let members = value.objectValue else {
            throw UsageError(#"\#(Self.counts.name) is no JSON object; give for example '{"original": 5012}'"#)
        }
        var counts: [(name: String, count: Int)] = []
        for member in members {
            guard let number = member.value.numberValue, let count = Int(exactly: number), abs(count) <= 1 << 53 else {
                throw UsageError("\(Self.counts.name): the count of '\(member.key.name)' is no whole number")
            }
            counts.append((member.key.name, count))
        }
        return counts
    }

    private func printForPeople(_ report: SampleRatioReport) {
        let rows = report.variations.map { variation in
            [
                variation.name, String(format: "%.2f %%", variation.share * 100),
                String(format: "%.1f", variation.expected), "\(variation.observed)",
                String(format: "%+.1f", Double(variation.observed) - variation.expected),
            ]
        }
        Console.printTable([["VARIATION", "SHARE", "EXPECTED", "OBSERVED", "DIFFERENCE"]] + rows)
        let result = report.result
        let p = String(format: "p = %.4g", result.p)
        let test =
            switch result.method {
            case .pearson:
                String(format: "chi-square %.4g, ", result.chiSquare)
                    + "\(result.degreesOfFreedom) degree\(result.degreesOfFreedom == 1 ? "" : "s") of freedom, \(p)"
            case .exact: "exact test, \(p)"
            case .sequential: "sequential test, \(p)"
            }
        Console.print()
        if result.isMismatch {
            Console.print("\(test): \("mismatch".styled(.bad)), the counts disagree with the config's shares")
            Console.print("What usually causes it:")
            for cause in report.causes { Console.print("- \(cause)") }
        } else {
            Console.print("\(test): the counts agree with the config's shares")
        }
    }
}
