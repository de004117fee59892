public import ConvertECMAScript
internal import ConvertSwiftSDK
public import ConvertSwiftSDKCore
public import Foundation

/// Repeats the decisions of a log and reports the differences. The original config shows whether a decision can be
/// explained; another config shows what a release would change.
public struct DecisionReplay: Sendable {
    /// A config for deciding lines.
    public struct Candidate: Sendable {
        /// The config.
        public let config: ProjectConfig
        /// The digest by which lines name the config; `nil` if it is not known.
        public let revision: String?

        /// Reads the config from `json`, which must be the bytes as fetched: lines that were decided with the config
        /// name their digest.
        public init(json: Data) throws(ConfigError) {
            config = try ProjectConfig(json: json)
            revision = ConfigRevision(of: json).description
        }

        /// Creates a candidate that lines name by `revision`.
        package init(_ config: ProjectConfig, revision: String) {
            self.config = config
            self.revision = revision
        }

        /// Creates a candidate whose revision is not known.
        public init(_ config: ProjectConfig) {
            self.config = config
            revision = nil
        }
    }

    /// The options for deciding lines.
    public struct Options: Sendable {
        /// The environment to decide in; `nil` stands for the environment of the line, or else `staging`.
        public var environment: String?
        /// The semantics of rule evaluation; `nil` stands for the line's semantics.
        public var semantics: RuleSemantics?
        /// The id of the only visitor whose lines are decided; `nil` stands for all visitors.
        public var visitorID: String?
        /// The key, or else the id, of the only experience whose decisions count, or the key of the only feature; `nil`
        /// stands for all.
        public var experience: String?
        /// Whether a logged answer counts as correct if the line withholds data that decides it, and the answer is
        /// possible.
        var trustsLog = true

        /// Creates the default options.
        public init() {}
    }

    /// The subject of a decision.
    public enum Subject: Sendable, Hashable {
        /// The experience with this key, or with this id if the call asked for the id.
        case experience(String)
        /// The feature with this key.
        case feature(String)
    }

    /// A decision that differs from the log, or may differ.
    public struct Difference: Sendable, Equatable {
        /// The number of the line in the log, from 1; `nil` if the line was not read from a log.
        public internal(set) var line: Int?
        /// The time of the decision, as written in the line; `nil` if the line has no time.
        public internal(set) var time: String?
        /// The visitor's id.
        public let visitorID: String
        /// The experience or feature that was decided.
        public let subject: Subject
        /// The logged answer.
        public let logged: JSValue
        /// The answer now, decided without withheld data.
        public let found: JSValue
        /// The reason for having no variation now, or the source of the decision.
        public let reason: String
        /// The names of withheld data on which it depends whether the answer differs; empty if it differs in any case.
        public let withheld: [String]
    }

    /// The settings of the engine that decides a line.
    private struct EngineKey: Hashable {
        let candidate: Int
        let compilation: CompilationOptions
        let environment: String
    }

    let candidates: [Candidate]
    let options: Options
    private let engines = BoundedCache<EngineKey, ReplayedLine.Engine>(limit: 32)
    private let standIns = BucketedIDs()
    /// The only experience whose decisions count, as each config names it.
    private let experiences: [ExperienceName?]

    /// Creates a replay with `config`, whichever config the lines name.
    public init(_ config: ProjectConfig, environment: String? = nil, semantics: RuleSemantics? = nil) {
        var options = Options()
        options.environment = environment
        options.semantics = semantics
        self.init([Candidate(config)], options: options)
    }

    /// Creates a replay with several configs. Each line is decided with the config that it names; a single config
    /// decides all lines.
    public init(_ candidates: [Candidate], options: Options = Options()) {
        self.candidates = candidates
        self.options = options
        experiences = candidates.map { candidate in
            options.experience.map { ExperienceName($0, in: candidate.config) }
        }
    }

    /// Repeats the decisions of a line, in its order, and returns the differences.
    ///
    /// - Throws: ``PopulationVisitorError`` if there are several configs, and the line names none of them.
    public func differences(from logged: LoggedDecisions) throws(PopulationVisitorError) -> [Difference] {
        try decisions(of: logged, explains: false).compactMap { Difference($0, of: logged) }
    }

    /// Repeats the decisions of a line, in its order.
    ///
    /// - Parameters:
    ///   - logged: the line.
    ///   - names: keys, or else ids, of the experiences to return, even if the line does not contain them. If empty,
    ///     returns the experience in the options, or else the decisions of the line.
    ///   - explains: whether to explain every step.
    /// - Throws: ``PopulationVisitorError`` if there are several configs, and the line names none of them.
    package func decisions(
        of logged: LoggedDecisions, only names: [String] = [], explains: Bool
    ) throws(PopulationVisitorError) -> [ReplayedDecision] {
        let index = try candidates.index(named: logged.configRevision, orOnly: true)
        var wishes = ReplayedLine.Wishes()
        wishes.explains = explains
        let isByID = logged.call.question == .experienceID
        let config = candidates[index].config
        if !names.isEmpty { wishes.extra = names.map { ExperienceName($0, in: config).asked(byID: isByID) } }
        let line = ReplayedLine(
            logged, engine(for: logged, at: index), standIns, trustsLog: options.trustsLog)
        let decisions = line.decisions(wishes)
        let wanted = names.isEmpty ? experiences[index].map { [$0.asked(byID: isByID)] } : wishes.extra
        guard let wanted else { return decisions }
        return decisions.filter { decision in
            switch decision.subject {
            case .experience(let name): wanted.contains(PropertyKey(name))
            case .feature(let name):
                names.isEmpty && options.experience.map { $0.hasSameCodeUnits(as: name) } ?? false
            }
        }
    }

    /// Whether a line names another config than the one that decides it.
    package func usesOtherConfig(_ logged: LoggedDecisions) throws(PopulationVisitorError) -> Bool {
        let index = try candidates.index(named: logged.configRevision, orOnly: true)
        return logged.configRevision.map { $0 != candidates[index].revision } ?? false
    }

    /// The names that a line withholds, and that no rule of the config that decides it reads.
    package func unreadNames(withheldBy logged: LoggedDecisions) throws(PopulationVisitorError) -> [String] {
        if logged.withheld.isEmpty { return [] }
        let index = try candidates.index(named: logged.configRevision, orOnly: true)
        return engine(for: logged, at: index).withheldValues(of: logged).unreadNames
    }

    /// The names of experiences in decisions, for all configs: the key, or else the id.
    var decisionKeys: [PropertyKey] { candidates.flatMap { $0.config.experiences.map(\.entityKey.lookUp) } }

    /// The environment in which the replay decides a line.
    package func environment(of logged: LoggedDecisions) -> String {
        options.environment ?? logged.environment ?? ProjectConfig.defaultEnvironment
    }

    private func engine(for logged: LoggedDecisions, at index: Int) -> ReplayedLine.Engine {
        var compilation = logged.compilation
        if let semantics = options.semantics { compilation.semantics = semantics }
        let environment = environment(of: logged)
        let key = EngineKey(candidate: index, compilation: compilation, environment: environment)
        return engines.value(for: key) {
            ReplayedLine.Engine(
                Project(candidates[index].config, options: compilation), environment: environment)
        }
    }
}

extension [DecisionReplay.Candidate] {
    /// The index of the config with `revision`.
    ///
    /// - Parameters:
    ///   - revision: the revision in the line. Without one, a single config is taken.
    ///   - takesOnly: whether a single config is also taken for lines that name another one.
    func index(named revision: String?, orOnly takesOnly: Bool) throws(PopulationVisitorError) -> Int {
        if let revision, let index = firstIndex(where: { $0.revision == revision }) { return index }
        if count == 1, takesOnly || revision == nil { return 0 }
        throw PopulationVisitorError(
            code: .unknownConfig, path: "$.config",
            message: revision.map { "no config with the revision '\($0.excerpt().onOneLine)' is given." }
                ?? "the line names no config; give one config only.")
    }
}

extension DecisionReplay.Difference {
    /// Creates the difference in a line; `nil` if the answer agrees with the log, or cannot be determined without the
    /// visitor's id.
    init?(_ decision: ReplayedDecision, of line: LoggedDecisions) {
        guard let found = decision.found, decision.isDifferent || !decision.unknowable.isEmpty else { return nil }
        self.init(
            line: line.number, time: line.time, visitorID: line.visitor.visitorID, subject: decision.subject,
            logged: decision.logged ?? .null,
            found: found, reason: decision.reason, withheld: decision.withheld)
    }

    /// The difference as one line of JSON without its line end.
    public var json: String {
        var members = JSObject()
        if let line { members["line"] = .integer(line) }
        if let time { members["time"] = .string(time) }
        members["visitorId"] = .string(visitorID)
        for member in subject.members { members[member.key] = member.value }
        members["logged"] = logged
        members["found"] = found
        members["reason"] = .string(reason)
        if !withheld.isEmpty { members["withheld"] = .array(withheld.map(JSValue.string)) }
        return ECMAScript.jsonText(keepingNumbersOf: .object(members))
    }
}
