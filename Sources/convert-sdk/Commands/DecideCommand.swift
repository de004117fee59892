import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// `convert-sdk decide`.
struct DecideCommand: Command {
    private static let logLine = OptionDeclaration(
        "--log-line", nil, .fileOrJSON,
        "instead of --visitor: a line of a decision log as it is; - is standard input")
    private static let explain = OptionDeclaration("--explain", "x", "print every step")

    static let declaration = CommandDeclaration(
        name: "decide", summary: "decide experiences for a visitor",
        discussion: """
            Decides all experiences of a project config, or the named ones, in order, and prints a table. Later \
            decisions see what earlier ones store.
            """,
        options: ConfigOption.declarations + VisitorOption.declarations
            + [logLine, CommonOption.experience, explain, CommonOption.json],
        remarks: """
            Prints problems in the config to standard error, a line each. Exits with 1 if the config does not \
            have one of the experiences that were named, by keys or ids.
            With --log-line the line provides the visitor, the stored decisions, the environment, the semantics and \
            the order of decisions. --environment and --semantics override those of the line. The table says beside \
            each decision what was logged. It exits with 1 if a decision differs, unless the line withholds a \
            property that may have decided it.
            """)

    /// The visitor to decide for.
    private enum Subject {
        case visitor(VisitorOption)
        /// The visitor and the call in a line of a log.
        case line(LoggedDecisions)
    }

    private let config: ConfigOption
    private let subject: Subject
    private let environment: String?
    private let semantics: RuleSemantics?
    private let experiences: [String]
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        environment = arguments.environment
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self)
        if let line = arguments[Self.logLine] {
            for option in VisitorOption.declarations where !arguments.all(option).isEmpty {
                throw UsageError("\(option.name): the visitor is that of \(Self.logLine.name); give one of them")
            }
            subject = .line(try LoggedDecisions(line, for: Self.logLine.name))
        } else {
            subject = .visitor(try VisitorOption(arguments))
        }
        experiences = arguments.all(CommonOption.experience)
        explains = arguments.has(Self.explain)
        printsJSON = arguments.has(CommonOption.json)
    }

    func run() async throws -> ExitCode {
        switch subject {
        case .visitor(let visitor): try await decide(for: visitor)
        case .line(let line): try await decide(line)
        }
    }

    private func decide(for visitor: VisitorOption) async throws -> ExitCode {
        let manager = ExperienceManager(project: try await config.load())
        var person = visitor.visitor(of: manager)
        let said = try visitor.decisions(for: &person, of: manager)
        let all = manager.project.config.experiences
        var answers: [PrintedDecision] = []
        var unknown: [String] = []
        var effects: [DecisionEffect] = []
        // A key stands for the first experience that has it.
        let byKey = Dictionary(all.map { ($0.entityKey.lookUp, $0) }, uniquingKeysWith: { first, _ in first })
        var decided: Set<PropertyKey> = []
        let config = manager.project.config
        let keys =
            experiences.isEmpty
            ? all.map(\.entityKey.lookUp.name)
            : experiences.map { config.experience(named: $0)?.entityKey.lookUp.name ?? $0 }
        for key in keys where !experiences.isEmpty || decided.insert(PropertyKey(key)).inserted {
            let experience = byKey[PropertyKey(key)]
            if experience == nil { unknown.append(key) }
            let options = said.options(for: experience)
            // Explained before deciding, because the decision changes the stored state and thereby the explanation.
            let explanation = explains ? manager.explain(key, for: person, options: options) : nil
            let answer = manager.selectVariation(key, for: &person, options: options)
            effects += answer.effects
            answers.append(PrintedDecision(key: key, decision: answer.value, explanation: explanation))
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        Console.complain(of: effects)
        for key in unknown { Console.complainOfUnknown("experience", key, among: all.compactMap(\.key)) }
        return unknown.isEmpty ? .done : .answerIsNo
    }

    private func decide(_ line: LoggedDecisions) async throws -> ExitCode {
        let file = try await self.config.read()
        let config = file.config
        if let revision = line.configRevision, revision != file.revision {
            Console.complain("warning: the line was decided with the config \(revision), not with this one")
        }
        if line.hasNoVisitorID, line.buckets == nil {
            Console.complain(
                "warning: the line does not have the visitor's id, so bucket values differ from the original ones")
        }
        if !line.withheld.isEmpty {
            Console.complain("warning: the line withholds \(line.withheld.joined(separator: ", "))")
        }
        let replay = DecisionReplay(config, environment: environment, semantics: semantics)
        for name in try replay.unreadNames(withheldBy: line) {
            Console.complain(
                "warning: the line withholds '\(name.excerpt(80))', which no rule reads: name a property as rules do")
        }
        if let name = environment ?? line.environment { ConfigOption.note(name, isGiven: true, in: config) }
        let all = config.experiences.compactMap(\.key)
        var unknown = experiences.filter { config.experience(named: $0) == nil }
        var names = experiences.filter { !unknown.contains($0) }
        // A line without decisions is only a visitor, so all experiences are decided.
        if experiences.isEmpty, line.comparedCount == 0 { names = all }
        let isOfNothing = names.isEmpty && !experiences.isEmpty
        let decisions = isOfNothing ? [] : try replay.decisions(of: line, only: names, explains: explains)
        if printsJSON {
            try Console.printJSON(decisions.map { PrintedDecision($0) })
        } else {
            ReplayedDecisionPrinter.print(decisions)
        }
        // The line may use keys that experiences no longer have.
        let isByID = line.call.question == .experienceID
        unknown += decisions.filter { $0.reason == Decision.Reason.unknownExperience.rawValue && !isByID }.map(\.name)
        for key in unknown { Console.complainOfUnknown("experience", key, among: all) }
        let isDifferent = decisions.contains(where: \.isKnownToDiffer)
        return unknown.isEmpty && !isDifferent ? .done : .answerIsNo
    }

    private func printForPeople(_ answers: [PrintedDecision]) {
        Console.printTable(
            [["EXPERIENCE", "VARIATION", "BUCKET", "WHY"]]
                + answers.map { answer in
                    [
                        answer.experienceKey ?? "-", answer.variationKey ?? answer.variationId ?? "-",
                        answer.bucketingAllocation.map { "\($0)" } ?? "-", answer.source ?? answer.reason ?? "",
                    ]
                })
        for explanation in answers.compactMap(\.explanation) {
            Console.print()
            explanation.printTree()
        }
    }
}

/// A printed decision; its members have the names of the JavaScript SDK.
private struct PrintedDecision: Encodable {
    var experienceKey: String?
    var experienceId: String?
    var variationId: String?
    var variationKey: String?
    var bucketingAllocation: Int?
    var source: String?
    var reason: String?
    var explanation: Explanation?
    /// The feature of a log's line, in place of an experience.
    var featureKey: String?
    /// The visitor's value of the feature, in the form of a log.
    var feature: JSValue?
    var featureExplanation: FeatureExplanation?
    /// The logged answer: the variation, or the feature as JSON; empty if there was no variation.
    var logged: String?
    /// Whether the logged answer differs.
    var differs: Bool?
    /// The names of withheld data that may have caused the difference.
    var withheld: [String]?

    init(key: String, decision: Decision, explanation: Explanation?) {
        let variation = decision.variation
        experienceKey = key
        experienceId = variation?.experienceID
        variationId = variation?.variationID
        variationKey = variation?.variationKey
        bucketingAllocation = variation?.bucketingAllocation
        source = variation?.source.rawValue
        reason = decision.reason?.rawValue
        self.explanation = explanation
    }

    private init() {}

    /// Creates the decision for a line of a log.
    init(_ replayed: ReplayedDecision) {
        if let decision = replayed.decision {
            self.init(key: replayed.name, decision: decision, explanation: replayed.explanation)
        } else if case .experience(let name) = replayed.subject {
            self.init()
            experienceKey = name
            reason = replayed.found == nil ? "unknowable" : replayed.reason
        } else {
            self.init()
            featureKey = replayed.name
            feature = replayed.found
            reason = replayed.found == nil ? "unknowable" : replayed.reason
            featureExplanation = replayed.featureExplanation
        }
        if replayed.isCompared {
            let value = replayed.logged ?? .null
            logged = value.isNull ? "" : ReplayedDecisionPrinter.text(of: value)
            differs = replayed.isDifferent
            if !replayed.unknowable.isEmpty { withheld = replayed.unknowable }
        }
    }
}
