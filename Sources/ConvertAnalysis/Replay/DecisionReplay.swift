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
        /// The key of the only experience whose decisions count; `nil` means all.
        public var experience: String?

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

    /// A decision that comes out otherwise.
    public struct Difference: Sendable, Equatable {
        /// The visitor's id.
        public let visitorID: String
        /// What was decided.
        public let subject: Subject
        /// What was logged.
        public let logged: JSValue
        /// What is decided now.
        public let found: JSValue
        /// Why there is no variation now, or where the decision came from.
        public let reason: String
        /// Names of what decided then and is not in the line: with it the decision may come out as logged.
        public let withheld: [String]
    }

    /// What came of a line.
    struct Outcome {
        var differences: [Difference] = []
        /// Number of decisions made again.
        var decisionCount = 0
        /// The same by experience.
        var experienceCounts: [String: Int] = [:]
        /// Number of decisions that cannot be made again, because the line has no visitor's id.
        var undecidableCount = 0
        /// Whether none of the configs is the line's, and it was decided with the only one that there is.
        var usesOtherConfig = false
    }

    /// What decides a line.
    private struct ManagerKey: Hashable {
        let candidate: Int
        let compilation: CompilationOptions
        let environment: String
    }

    private let candidates: [Candidate]
    let options: Options
    private let managers = BoundedCache<ManagerKey, ExperienceManager>(limit: 32)
    private let standIns = BucketedIDs()

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
    }

    /// Decides again what a line of a log holds, in its order, and returns what comes out otherwise.
    ///
    /// - Throws: ``PopulationVisitorError`` if the line does not name one of several configs.
    public func differences(from logged: LoggedDecisions) throws(PopulationVisitorError) -> [Difference] {
        try outcome(of: logged).differences
    }

    func outcome(of logged: LoggedDecisions) throws(PopulationVisitorError) -> Outcome {
        let index = try candidates.index(named: logged.configDigest, orOnly: true)
        var outcome = ReplayedLine(logged, manager(for: logged, at: index), standIns).outcome()
        outcome.usesOtherConfig = logged.configDigest.map { $0 != candidates[index].digest } ?? false
        return outcome
    }

    /// What decides a line again.
    ///
    /// - Throws: ``PopulationVisitorError`` if the line does not name one of several configs.
    package func manager(for logged: LoggedDecisions) throws(PopulationVisitorError) -> ExperienceManager {
        manager(for: logged, at: try candidates.index(named: logged.configDigest, orOnly: true))
    }

    private func manager(for logged: LoggedDecisions, at index: Int) -> ExperienceManager {
        var compilation = logged.compilation
        if let semantics = options.semantics { compilation.semantics = semantics }
        let environment = options.environment ?? logged.environment ?? "staging"
        let key = ManagerKey(candidate: index, compilation: compilation, environment: environment)
        return managers.value(for: key) {
            ExperienceManager(
                project: Project(candidates[index].config, options: compilation), environment: environment)
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
    /// The difference as one line of JSON without its end.
    public var json: String {
        var members: JSObject = ["visitorId": .string(visitorID)]
        switch subject {
        case .experience(let name): members["experience"] = .string(name)
        case .feature(let name): members["feature"] = .string(name)
        }
        members["logged"] = logged
        members["found"] = found
        members["reason"] = .string(reason)
        if !withheld.isEmpty { members["withheld"] = .array(withheld.map(JSValue.string)) }
        return ECMAScript.jsonText(of: .object(members))
    }
}
