public import ConvertECMAScript
internal import ConvertSwiftSDK
public import ConvertSwiftSDKCore
public import Foundation

/// Decides the visitors of a log again, and reports which decisions come out otherwise: with the config of then to find
/// out whether a decision can be explained, with another one to see what a release would change.
public struct DecisionReplay: Sendable {
    /// A config that lines are decided with.
    public struct Candidate: Sendable {
        /// The config.
        public let config: ProjectConfig
        /// What lines name it by; `nil` if that is not known.
        public let digest: String?

        /// The config that is read from `json`, the bytes as they were fetched: lines that were decided with it name
        /// them.
        public init(json: Data) throws(ConfigError) {
            config = try ProjectConfig(json: json)
            digest = ConfigRevision(of: json).description
        }

        /// A config that lines name by `digest`.
        package init(_ config: ProjectConfig, digest: String) {
            self.config = config
            self.digest = digest
        }

        /// A config whose digest is not known.
        public init(_ config: ProjectConfig) {
            self.config = config
            digest = nil
        }
    }

    /// How lines are decided.
    public struct Options: Sendable {
        /// The environment to decide in; `nil` means the one that a line names, or else `staging`.
        public var environment: String?
        /// The answers to the open questions of rule evaluation; `nil` means those that a line names.
        public var semantics: RuleSemantics?
        /// The id of the only visitor whose lines are decided; `nil` means all lines.
        public var visitorID: String?
        /// The key, or else the id, of the only experience whose decisions count, or the key of the only feature; `nil`
        /// means all.
        public var experience: String?
        /// Whether answers that may be as logged are taken to be so, where a line withholds what decides them.
        var trustsLog = true

        /// The defaults.
        public init() {}
    }

    /// What a decision was about.
    public enum Subject: Sendable, Hashable {
        /// The experience with the key, or with the id if it was asked for by that.
        case experience(String)
        /// The feature with the key.
        case feature(String)
    }

    /// A decision that comes out otherwise, or may.
    public struct Difference: Sendable, Equatable {
        /// The number of the line in the log, from 1; `nil` if it was not read from one.
        public internal(set) var line: Int?
        /// When it was decided, as the line has it; `nil` if it does not say it.
        public internal(set) var time: String?
        /// The visitor's id.
        public let visitorID: String
        /// What was decided.
        public let subject: Subject
        /// What was logged.
        public let logged: JSValue
        /// What is decided now, without what the line withholds.
        public let found: JSValue
        /// Why there is no variation now, or where the decision came from.
        public let reason: String
        /// Names of what the line withholds and decides whether this comes out as logged; empty if it does not.
        public let withheld: [String]
    }

    /// What decides a line.
    private struct EngineKey: Hashable {
        let candidate: Int
        let compilation: CompilationOptions
        let environment: String
    }

    let candidates: [Candidate]
    let options: Options
    private let engines = BoundedCache<EngineKey, ReplayedLine.Engine>(limit: 32)
    private let standIns = BucketedIDs()
    /// The only experience whose decisions count, as each config has it.
    private let experiences: [ExperienceName?]

    /// A replay on `config`, whichever config lines name.
    public init(_ config: ProjectConfig, environment: String? = nil, semantics: RuleSemantics? = nil) {
        var options = Options()
        options.environment = environment
        options.semantics = semantics
        self.init([Candidate(config)], options: options)
    }

    /// A replay on several configs: each line is decided with the one that it names. A single config decides all lines.
    public init(_ candidates: [Candidate], options: Options = Options()) {
        self.candidates = candidates
        self.options = options
        experiences = candidates.map { candidate in
            options.experience.map { ExperienceName($0, in: candidate.config) }
        }
    }

    /// Decides again what a line of a log holds, in its order, and returns what comes out otherwise.
    ///
    /// - Throws: ``PopulationVisitorError`` if the line does not name one of several configs.
    public func differences(from logged: LoggedDecisions) throws(PopulationVisitorError) -> [Difference] {
        try decisions(of: logged, explains: false).compactMap { Difference($0, of: logged) }
    }

    /// Decides again what a line of a log holds, in its order.
    ///
    /// - Parameters:
    ///   - logged: the line.
    ///   - names: keys, or else ids, of the experiences that are returned, whether the line has them or not; empty
    ///     means that of the options, or what the line holds.
    ///   - explains: whether every step is explained.
    /// - Throws: ``PopulationVisitorError`` if the line does not name one of several configs.
    package func decisions(
        of logged: LoggedDecisions, only names: [String] = [], explains: Bool
    ) throws(PopulationVisitorError) -> [ReplayedDecision] {
        let index = try candidates.index(named: logged.configDigest, orOnly: true)
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

    /// Whether a line names another config than the one that decides it again.
    package func usesOtherConfig(_ logged: LoggedDecisions) throws(PopulationVisitorError) -> Bool {
        let index = try candidates.index(named: logged.configDigest, orOnly: true)
        return logged.configDigest.map { $0 != candidates[index].digest } ?? false
    }

    /// Names that a line withholds and that no rule of the config that decides it reads.
    package func unreadNames(withheldBy logged: LoggedDecisions) throws(PopulationVisitorError) -> [String] {
        if logged.withheld.isEmpty { return [] }
        let index = try candidates.index(named: logged.configDigest, orOnly: true)
        return engine(for: logged, at: index).withheldValues(of: logged).unreadNames
    }

    /// What decisions of the configs go by: the key, or else the id.
    var decisionKeys: [PropertyKey] { candidates.flatMap { $0.config.experiences.map(\.entityKey.lookUp) } }

    /// What decisions of the experience with the id go by; or else the id itself.
    func decisionKey(ofID id: String) -> PropertyKey {
        let id = PropertyKey(id)
        let experiences = candidates.lazy.flatMap(\.config.experiences)
        return experiences.first { $0.id.key == id }?.entityKey.lookUp ?? id
    }

    private func engine(for logged: LoggedDecisions, at index: Int) -> ReplayedLine.Engine {
        var compilation = logged.compilation
        if let semantics = options.semantics { compilation.semantics = semantics }
        let environment = options.environment ?? logged.environment ?? ProjectConfig.defaultEnvironment
        let key = EngineKey(candidate: index, compilation: compilation, environment: environment)
        return engines.value(for: key) {
            ReplayedLine.Engine(
                Project(candidates[index].config, options: compilation), environment: environment)
        }
    }
}

extension [DecisionReplay.Candidate] {
    /// The index of the config with `digest`.
    ///
    /// - Parameters:
    ///   - digest: what a line names; `nil` if it names none, and then a single config is taken.
    ///   - takesOnly: whether a single config is also taken for lines that name another one.
    func index(named digest: String?, orOnly takesOnly: Bool) throws(PopulationVisitorError) -> Int {
        if let digest, let index = firstIndex(where: { $0.digest == digest }) { return index }
        if count == 1, takesOnly || digest == nil { return 0 }
        throw PopulationVisitorError(
            code: .unknownConfig, path: "$.config",
            message: digest.map { "no config with the digest '\($0.excerpt().onOneLine)' is given." }
                ?? "the line names no config; give one config only.")
    }
}

extension DecisionReplay.Difference {
    /// What differs in a line, or may; `nil` if nothing does.
    init?(_ decision: ReplayedDecision, of line: LoggedDecisions) {
        guard let found = decision.found, decision.isDifferent || !decision.unknowable.isEmpty else { return nil }
        self.init(
            line: line.number, time: line.time, visitorID: line.visitor.visitorID, subject: decision.subject,
            logged: decision.logged ?? .null,
            found: found, reason: decision.reason, withheld: decision.withheld)
    }

    /// The difference as one line of JSON without its end.
    public var json: String {
        var members = JSObject()
        if let line { members["line"] = .integer(line) }
        if let time { members["time"] = .string(time) }
        members["visitorId"] = .string(visitorID)
        switch subject {
        case .experience(let name): members["experience"] = .string(name)
        case .feature(let name): members["feature"] = .string(name)
        }
        members["logged"] = logged
        members["found"] = found
        members["reason"] = .string(reason)
        if !withheld.isEmpty { members["withheld"] = .array(withheld.map(JSValue.string)) }
        return ECMAScript.jsonText(keepingNumbersOf: .object(members))
    }
}
