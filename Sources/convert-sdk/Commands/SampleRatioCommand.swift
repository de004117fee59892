import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk srm`.
struct SampleRatioCommand: Command {
    private static let configs = OptionDeclaration(
        ConfigOption.file.name, ConfigOption.file.letter, .file, isRepeatable: true, isRequired: true,
        "the project config, JSON as the CDN serves it; with --log once for each config that the log names")
    private static let experience = OptionDeclaration(
        "--experience", "e", CommonOption.experienceKey, isRepeatable: true,
        "the experience, by key or id; with --log, give any number (default: all)")
    private static let counts = OptionDeclaration(
        "--counts", nil, .fileOrJSON,
        #"the visitors of each variation, by key or id: {"original": 5012, "green": 4988}"#)
    private static let log = OptionDeclaration(
        "--log", nil, .file, "instead of counts: a decision log, whose lines are tested against their own configs")
    private static let attribute = OptionDeclaration(
        "--by", nil, .text("ATTRIBUTE"),
        "with --log: also count visitors by the values of this attribute, of a member such as address.country, or of "
            + "locationProperties.NAME"
    )
    private static let sequential = OptionDeclaration(
        "--sequential", nil, "use a test that stays valid if you look at the counts repeatedly; --log always does")
    private static let minDifference = OptionDeclaration(
        "--min-difference", nil, .text("SHARE"),
        "the smallest difference of a share that matters, such as 0.5% or 0.005 (default: any difference)")
    private static let threads = CommonOption.threads.only("with --log")
    private static let html = CommonOption.html.only("with --log")

    static let declaration = CommandDeclaration(
        name: "srm", summary: "test counts for a sample ratio mismatch",
        discussion: """
            Tests whether an experience's visitors are shared among its variations as the config allocates them, by \
            Pearson's chi-square test, or exactly where counts are small. A probability below 0.001 is a mismatch: the \
            experiment's results cannot be trusted before its cause is found. With --log it counts the visitors of a \
            decision log itself, each against the config that decided it, so that ramps and changed allocations are \
            not a mismatch, and says when, under which config and for which visitors it broke.
            """,
        options: [configs] + ConfigOption.fetching
            + [
                ConfigOption.semantics, experience, counts, log, attribute, sequential, minDifference, threads,
                CommonOption.json, html,
            ],
        remarks: """
            The verdict is agrees, notEnoughEvidence or mismatch. Without --min-difference the counts agree if the \
            probability is at least 0.05. With it they agree if every share differs by less than that with 99.9 % \
            confidence, and a mismatch also requires a share that differs by at least that.
            Pearson's test is valid for one look at the end. With --sequential it is the test of Lindon and Malek \
            (Anytime-Valid Inference for Multinomial Count Data, NeurIPS 2022), with the mean of its Bayes factors \
            over four strengths of the prior. It is valid at any time.
            A variation that the counts do not name has no visitors. In a log a visitor counts once for an experience, \
            when the variation is first assigned. Visitors that got two variations of one experience are listed, with \
            the configs that decided them. One release can break an experiment while others hide it, so the verdict is \
            also a mismatch if the visitors of one config alone show one. The chance that a healthy experience is ever \
            called a mismatch is at most 0.001, however often you look, or 0.0014 if a second config is added between \
            looks.
            If the allocation changed before the log begins, newly assigned visitors may not have the allocated shares \
            although nothing is broken. If the stored variations show such a change, the verdict is \
            notEnoughEvidence. If the log does not show whether there was one or lines of first visits are missing, \
            the verdict is the same, but the command exits with 1: give the log and the config from before.
            Exits with 1 also if there is a mismatch, or if a line is not a log line, names a config that is not \
            given, or has a variation that its config does not give. Exits with 2 if no visitor was counted.
            """)

    private let arguments: Arguments
    private let counts: String?
    private let log: String?
    private let experiences: [String]
    private let attribute: String?
    private let semantics: RuleSemantics
    private let isSequential: Bool
    private let minDifference: Double?
    private let threads: Int
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        counts = arguments[Self.counts]
        log = arguments[Self.log]
        experiences = arguments.all(Self.experience)
        switch (counts, log) {
        case (nil, nil):
            throw UsageError("\(Self.counts.name) is missing: \(Self.counts.meaning); or give \(Self.log.name)")
        case (_?, _?):
            throw UsageError("\(Self.counts.name) and \(Self.log.name) exclude each other; give one of them")
        case (_?, nil):
            if experiences.isEmpty {
                throw UsageError("\(Self.experience.name) is missing: the experience, by key or id")
            }
            for option in [Self.experience, Self.configs] where arguments.all(option).count > 1 {
                throw UsageError("\(option.name): give it only once with \(Self.counts.name)")
            }
            for option in [Self.attribute, Self.threads, Self.html] where arguments[option] != nil {
                throw UsageError("\(option.name) goes with \(Self.log.name)")
            }
            try ConfigOption(arguments).refuseEnvironment(
                ofFileIn: arguments, because: "the shares are the same in all environments")
        case (nil, _?):
            for option in [ConfigOption.sdkKey, ConfigOption.endpoint] where arguments[option] != nil {
                throw UsageError(
                    "\(option.name): \(Self.log.name) needs the configs of the log as files; give them with "
                        + "\(Self.configs.name)")
            }
            for option in [ConfigOption.semantics, ConfigOption.environment] where arguments[option] != nil {
                throw UsageError("\(option.name) goes with \(Self.counts.name); each line of a log names its own")
            }
            _ = try arguments.required(Self.configs)
        }
        attribute = arguments[Self.attribute]
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        isSequential = arguments.has(Self.sequential)
        minDifference = try arguments.share(Self.minDifference)
        threads = try arguments.threads()
        printsJSON = arguments.has(CommonOption.json)
        page = arguments[Self.html]
    }

    func run() async throws -> ExitCode {
        if let log { return try testLog(log, arguments.all(Self.configs)) }
        let config = try await ConfigOption(arguments).load(decides: false).config
        return try test(counts ?? "", of: experiences[0], in: config)
    }

    private func test(_ counts: String, of experience: String, in config: ProjectConfig) throws -> ExitCode {
        guard let model = config.experience(named: experience) else { throw unknown(experience, in: [config]) }
        let report: SampleRatioReport
        do {
            report = try SampleRatioReport(
                of: model, counts: readCounts(counts), isSequential: isSequential, semantics: semantics,
                minDifference: minDifference)
        } catch let error as SampleRatioError {
            throw UsageError("\(Self.counts.name): \(error)")
        }
        if printsJSON {
            try Console.printJSON(report)
        } else {
            SampleRatioPrinter(report, minDifference: minDifference).print()
        }
        return report.verdict == .mismatch ? .answerIsNo : .done
    }

    private func unknown(_ experience: String, in configs: [ProjectConfig]) -> UsageError {
        let keys = configs.flatMap { $0.experiences.compactMap(\.key) }
        return UsageError("\(UnknownName("experience", experience, among: keys))")
    }

    private func testLog(_ path: String, _ files: [String]) throws -> ExitCode {
        let candidates = try files.map { try ConfigOption.read($0).candidate() }
        let configs = candidates.map(\.config)
        for name in experiences where !configs.contains(where: { $0.experience(named: name) != nil }) {
            throw unknown(name, in: configs)
        }
        var options = SampleRatioLog.Options()
        options.experiences = experiences
        options.attribute = attribute
        options.minDifference = minDifference
        let test = SampleRatioLog(candidates, options: options)
        let source = try ByteInput(path, for: Self.log.name)
        let progress = RowProgress()
        let report = try source.naming {
            defer { Console.endProgress() }
            // Safe: `ByteInput` writes only within the buffer, and only during the call.
            return try unsafe test.run(
                threads: threads, read: { try unsafe source.read(into: $0) }, didRead: { progress.show($0) })
        }
        let readCount = report.lines - report.errors - report.unknownConfigs.map(\.lines).reduce(0, +)
        if let attribute, report.linesWithAttribute == 0, readCount > 0 {
            let withheld = report.linesWithholdingAttribute ?? 0
            let why =
                withheld > 0
                ? "\(withheld) lines withhold it"
                : "write address.country for a member of an attribute, locationProperties.NAME for a location property"
            throw UsageError("\(Self.attribute.name): no line of the log has the attribute '\(attribute)'; \(why)")
        }
        if let page {
            let provenance = PageProvenance(
                configs: candidates.compactMap(\.revision), project: candidates.first?.config.project,
                environment: nil, semantics: nil)
            try OutputFile.write(report.html(provenance: provenance), to: page, for: Self.html.name)
        }
        if printsJSON { Console.print(json: report.json) } else { SampleRatioLogPrinter(report).print() }
        report.firstErrors.complain(as: "line")
        source.endBySignalIfAny()
        if report.isEmpty {
            Console.complain("nothing was tested: no visitor of the log was counted")
            return .badUsage
        }
        return report.isMismatch || report.isDoubtful || report.hasErrors ? .answerIsNo : .done
    }

    private func readCounts(_ counts: String) throws(UsageError) -> [(name: String, count: Int)] {
        let (value, repeated) = try InputFile.readMembers(counts, for: Self.counts.name)
        if let repeated { throw UsageError("\(Self.counts.name): '\(repeated)' has two counts; give one") }
        guard let members = value.objectValue else {
            throw UsageError(#"\#(Self.counts.name) is not a JSON object; give for example '{"original": 5012}'"#)
        }
        var result: [(name: String, count: Int)] = []
        for member in members {
            guard let number = member.value.numberValue, let count = Int(exactly: number), count.magnitude <= 1 << 53
            else {
                throw UsageError(
                    "\(Self.counts.name): the count of '\(member.key.name)' is not a whole number of at most 2^53")
            }
            result.append((member.key.name, count))
        }
        return result
    }
}
