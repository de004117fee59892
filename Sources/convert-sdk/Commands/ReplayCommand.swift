import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk replay`.
struct ReplayCommand: Command {
    private static let configs = OptionDeclaration(
        ConfigOption.file.name, ConfigOption.file.letter, .file, isRepeatable: true, isRequired: true,
        "a project config, JSON as the CDN serves it; with several, each line is decided by the config whose revision "
            + "the line names"
    )
    private static let semantics = OptionDeclaration(
        ConfigOption.semantics.name, ConfigOption.semantics.letter, .choice(RuleSemantics.self),
        "use these semantics instead of the log's")
    private static let environment = OptionDeclaration(
        ConfigOption.environment.name, ConfigOption.environment.letter, .text("NAME"),
        "decide in this environment instead of the log's (default: the log's, or else staging)")

    private static let visitor = OptionDeclaration(
        "--visitor", "v", .text("ID"), "decide only the lines of this visitor")
    private static let experience = OptionDeclaration(
        "--experience", "e",
        OptionDeclaration.Value(
            name: "KEY", candidates: .config { $0.experiences.compactMap(\.key) + $0.features.compactMap(\.key) }),
        "report only this experience, or this feature")
    private static let explain = OptionDeclaration(
        "--explain", "x", "with --visitor: print every decision of the visitor with every step")
    private static let summary = OptionDeclaration(
        "--summary", nil, "print how many decisions went from which answer to which instead of a line for each")
    private static let json = OptionDeclaration("--json", "j", "print the summary as JSON, for programs")
    private static let html = OptionDeclaration(
        "--html", nil, .file, "also write the summary as one HTML page, which needs no other files")

    static let declaration = CommandDeclaration(
        name: "replay", summary: "decide a log again and list the differences",
        discussion: """
            Reads a log as an SDK's decision log or 'assign --echo' writes it, a visitor with decisions in each line, \
            decides each again, and prints a line for each decision that differs: \
            {"line":…,"time":…,"visitorId":…,"experience":…,"logged":…,"found":…,"reason":…}, with "feature" in place \
            of "experience" if it is about a feature. With the configs of that time it tells whether decisions can be \
            explained; with one other config or other semantics it tells what a release would change.
            """,
        operands: CommandDeclaration.Operands(
            name: "LOG", meaning: "the log; - is standard input", count: 1...1, candidates: .files),
        options: [
            configs, environment, semantics, visitor, experience, explain, summary, json, html, CommonOption.threads,
        ],
        remarks: """
            Where one call asked for all experiences, as a line of 'assign --echo' or of selectVariations does, they \
            are decided in the order of the config that is given, so that it shows what another order of exclusions \
            changes. Experiences that were asked for by name are decided in the order of the line.
            Exits with 1 if a decision differs, or if a line could not be read as a log line, or names a \
            config that was not given. A line may withhold properties, or the visitor's id. If no value of a withheld \
            property gives all answers of the line, the line differs. If only some values give an answer, that answer \
            cannot be known, and does not fail; the differences name the property.
            """)

    private let configs: [String]
    private let options: DecisionReplay.Options
    private let log: String
    private let threads: Int
    private let explains: Bool
    private let summarizes: Bool
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        _ = try arguments.required(Self.configs)
        configs = arguments.all(Self.configs)
        var options = DecisionReplay.Options()
        options.environment = arguments.environment
        options.semantics = try arguments.choice(Self.semantics, of: RuleSemantics.self)
        options.visitorID = arguments[Self.visitor]
        options.experience = arguments[Self.experience]
        self.options = options
        explains = arguments.has(Self.explain)
        summarizes = arguments.has(Self.summary)
        printsJSON = arguments.has(Self.json)
        page = arguments[Self.html]
        if explains, options.visitorID == nil {
            throw UsageError("\(Self.explain.name) goes with \(Self.visitor.name)")
        }
        if explains {
            for flag in [Self.summary, Self.json, Self.html] where arguments.has(flag) {
                throw UsageError("\(Self.explain.name) and \(flag.name) exclude each other; give one of them")
            }
        }
        log = arguments.operands[0]
        threads = try arguments.threads()
    }

    func run() async throws -> ExitCode {
        let candidates = try configs.map { try ConfigOption.read($0).candidate() }
        if let environment = options.environment {
            for candidate in candidates { ConfigOption.note(environment, isGiven: true, in: candidate.config) }
        }
        let replay = DecisionReplay(candidates, options: options)
        if let name = options.experience, !candidates.contains(where: { $0.config.experience(named: name) != nil }) {
            let features = candidates.flatMap { $0.config.features.compactMap(\.key) }
            if !features.contains(where: { $0.hasSameCodeUnits(as: name) }) {
                let names = candidates.flatMap { $0.config.experiences.compactMap(\.key) } + features
                throw UsageError("\(UnknownName("experience or feature", name, among: names))")
            }
        }
        let source = try ByteInput(log, for: "LOG")
        if explains { return try explain(source, by: replay) }
        let tally = try self.replay(source, by: replay)
        if tally.decisionCount + tally.undecidableCount == 0 { try refuseUnknownNames(tally.lines) }
        tally.lines.firstErrors.complain(as: "line")
        if tally.lines.errorCount > 0 {
            Console.complain(
                "\(tally.lines.errorCount) of \(tally.lines.recordCount) lines could not be read as log lines, or name "
                    + "a config that was not given")
        }
        complain(of: tally.environmentWarnings)
        if tally.otherConfigCount > 0 { complain(ofOtherConfigs: tally.otherConfigCount) }
        if tally.undecidableCount > 0 {
            Console.complain("\(tally.undecidableCount) decisions cannot be made again without the visitor's id")
        }
        for (name, count) in tally.unreadNames.sorted(by: { $0.key < $1.key }) {
            Console.complain(
                "\(count) lines withhold '\(name.excerpt(80))', which no rule reads: name a property as rules do")
        }
        if printsJSON {
            Console.print(json: tally.json)
        } else if summarizes {
            tally.printRoutes()
        }
        if let page {
            let provenance = PageProvenance(
                configs: candidates.compactMap(\.revision), project: candidates.first?.config.project,
                environment: options.environment, semantics: options.semantics)
            try OutputFile.write(tally.html(provenance: provenance), to: page, for: Self.html.name)
        }
        let withheld = DecisionReplay.unknowableText(tally.withheldCount)
        Console.complain(
            "\(tally.knownDifferenceCount) of \(tally.decisionCount) decisions differ\(withheld)")
        source.endBySignalIfAny()
        return tally.knownDifferenceCount == 0 && tally.lines.errorCount == 0 ? .done : .answerIsNo
    }

    private func complain(of warnings: [LogEnvironmentWarning]) {
        for warning in warnings { Console.complain("warning: \(warning.lines) lines: \(warning.text)") }
    }

    private func complain(ofOtherConfigs count: Int) {
        Console.complain(
            "\(count) lines name another config than the given one, and were decided with the given one")
    }

    /// Throws an error if the log is valid, but no line has the visitor or the experience in the options.
    private func refuseUnknownNames(_ lines: RecordTally) throws(UsageError) {
        guard lines.errorCount == 0 else { return }
        if let visitorID = options.visitorID, let name = options.experience {
            throw UsageError(
                "the log has no decision of the visitor '\(visitorID.excerpt(80))' for '\(name.excerpt(80))'")
        }
        if let visitorID = options.visitorID {
            throw UsageError("\(Self.visitor.name): the log has no decision of the visitor '\(visitorID.excerpt(80))'")
        }
        if let name = options.experience {
            throw UsageError(
                "\(Self.experience.name): the log has no decision of '\(name.excerpt(80))'; where its calls ask for "
                    + "features, give the key of a feature")
        }
    }

    /// Prints every decision of a visitor.
    private func explain(_ source: ByteInput, by replay: DecisionReplay) throws -> ExitCode {
        let (found, tally, warnings) = try source.naming {
            // Safe: `ByteInput` and `ByteOutput` stay within their buffers, and use them only during the call.
            try unsafe replay.fold(
                into: (lines: 0, differences: 0, unknowable: 0, otherConfigs: 0), threads: threads,
                read: { try unsafe source.read(into: $0) }
            ) {
                found, line, decisions in
                if found.lines > 0 { Console.print() }
                found.lines += 1
                if try replay.usesOtherConfig(line) { found.otherConfigs += 1 }
                let number = line.number.map { "line \($0), " } ?? ""
                let time = line.time.map { "\($0), " } ?? ""
                let revision = line.configRevision.map { ", config \($0)" } ?? ""
                Console.print("\(number)\(time)\(replay.environment(of: line))\(revision)".styled(.bold))
                ReplayedDecisionPrinter.print(decisions)
                found.differences += decisions.count(where: \.isKnownToDiffer)
                found.unknowable += decisions.count { !$0.unknowable.isEmpty }
            }
        }
        if found.lines == 0 { try refuseUnknownNames(tally) }
        tally.firstErrors.complain(as: "line")
        complain(of: warnings)
        if found.otherConfigs > 0 { complain(ofOtherConfigs: found.otherConfigs) }
        let unknowable = DecisionReplay.unknowableText(found.unknowable)
        Console.complain(
            "\(found.lines) lines are of the visitor; \(found.differences) decisions differ\(unknowable)")
        source.endBySignalIfAny()
        return found.differences == 0 && tally.errorCount == 0 ? .done : .answerIsNo
    }

    private func replay(_ source: ByteInput, by replay: DecisionReplay) throws -> ReplayTally {
        let output = ByteOutput()
        let printsLines = !printsJSON && !summarizes
        let progress = RowProgress()
        defer { Console.endProgress() }
        return try source.naming {
            try unsafe replay.run(
                threads: threads, read: { try unsafe source.read(into: $0) },
                write: { if printsLines { try unsafe output.write($0) } },
                didWrite: { progress.show($0.lines.recordCount) })
        }
    }
}
