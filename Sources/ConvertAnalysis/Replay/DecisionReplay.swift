internal import ConvertConcurrency
internal import ConvertECMAScript
public import ConvertSwiftSDKCore

/// Decides the visitors of a log again, and reports which decisions come out otherwise: with the config of then to find out whether a decision
/// can be explained, with another one to see what a release would change.
public struct DecisionReplay: Sendable {
    /// A decision that comes out otherwise.
    public struct Difference: Sendable, Equatable {
        /// The visitor's id.
        public let visitorID: String
        /// The experience's key.
        public let experienceKey: String
        /// The variation that was logged, or `nil` for none.
        public let logged: String?
        /// The variation that is decided on now, or `nil` for none.
        public let found: String?
        /// Why there is none now, or where the decision came from.
        public let reason: String
    }

    private let manager: ExperienceManager
    private let options: DecisionOptions

    /// A replay on `config`.
    public init(_ config: ProjectConfig, environment: String = "staging", semantics: RuleSemantics = .standard) {
        self.init(Project(config, options: CompilationOptions(semantics: semantics)), environment: environment)
    }

    /// A replay on `project`, whose semantics hold.
    package init(_ project: Project, environment: String = "staging") {
        manager = ExperienceManager(project: project, environment: environment)
        var options = DecisionOptions()
        options.isTrackingEnabled = false
        self.options = options
    }

    /// Decides again what a line of a log holds, in its order, and returns what comes out otherwise.
    public func differences(from logged: LoggedDecisions) -> [Difference] {
        let visitor = logged.visitor
        var person = manager.visitor(id: visitor.visitorID, attributes: visitor.attributes, state: visitor.stored)
        var callOptions = options
        callOptions.locationProperties = visitor.locationProperties
        var differences: [Difference] = []
        for member in logged.decisions {
            let decision = manager.selectVariation(member.key.name, for: &person, options: callOptions)
            let variation = decision.variation
            let found = variation.map { $0.variationKey ?? $0.variationID }
            let before = member.value.stringValue
            if found.map({ PropertyKey($0) }) == before.map({ PropertyKey($0) }) { continue }
            differences.append(
                Difference(
                    visitorID: visitor.visitorID, experienceKey: member.key.name, logged: before, found: found,
                    reason: variation?.source.rawValue ?? decision.reason.map { "\($0)" } ?? ""))
        }
        return differences
    }
}

extension DecisionReplay.Difference {
    /// The difference as one line of JSON without its end.
    public var json: String {
        ECMAScript.jsonText(
            of: .object([
                "visitorId": .string(visitorID), "experience": .string(experienceKey),
                "logged": logged.map(JSValue.string) ?? .null, "found": found.map(JSValue.string) ?? .null,
                "reason": .string(reason),
            ]))
    }
}
