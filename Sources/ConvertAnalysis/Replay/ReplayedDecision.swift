package import ConvertECMAScript
internal import ConvertSwiftSDK
package import ConvertSwiftSDKCore

/// One decision of a log's line, made again.
package struct ReplayedDecision: Sendable {
    /// What was decided.
    package let subject: DecisionReplay.Subject
    /// What the line has; `nil` if it does not have the decision.
    package let logged: JSValue?
    /// What is decided now; `nil` if that cannot be known without the visitor's id.
    package let found: JSValue?
    /// Where a variation or feature comes from now, or why the visitor has neither.
    package let reason: String
    /// What the engine decided about the experience; `nil` for a feature, or if it cannot be known.
    package var decision: Decision?
    /// The steps of the decision, if they were asked for.
    package var explanation: Explanation?
    /// The same of a feature.
    package var featureExplanation: FeatureExplanation?
    /// Names of what the line withholds and may decide whether there is a difference.
    var withheld: [String] = []
    /// Whether the line says what was decided: one that only the caller asked for is compared with nothing.
    package var isCompared = true

    /// The key, or the id, of the experience or feature.
    package var name: String {
        switch subject {
        case .experience(let name), .feature(let name): name
        }
    }

    /// Whether something else comes out than was logged.
    package var isDifferent: Bool {
        guard isCompared, let found else { return false }
        let before = logged ?? .null
        // As the line has it: a number may be written otherwise than the config writes it.
        return before != found
            && ECMAScript.jsonText(keepingNumbersOf: found) != ECMAScript.jsonText(keepingNumbersOf: before)
    }

    /// Whether it is different, whatever the line withholds.
    package var isKnownToDiffer: Bool { isDifferent && withheld.isEmpty }

    /// Names of what the line withholds, if that decides whether the decision comes out as logged.
    package var unknowable: [String] {
        found == nil ? [LoggedMember.visitorID.rawValue] : isCompared ? withheld : []
    }

    /// The lines of the explanation; empty without one.
    package var explanationLines: [ExplanationLine] { explanation?.lines ?? featureExplanation?.lines ?? [] }
}

/// The name of an experience, as a caller of a replay gives it.
struct ExperienceName {
    private let text: PropertyKey
    private let key: PropertyKey?
    private let id: PropertyKey?

    /// - Parameters:
    ///   - name: the key, or else the id.
    ///   - config: the config whose experience it is.
    init(_ name: String, in config: ProjectConfig) {
        text = PropertyKey(name)
        let experience = config.experience(named: name)
        key = experience?.entityKey.lookUp
        id = experience?.id.key
    }

    /// What a call asks for that names experiences by id or by key.
    func asked(byID: Bool) -> PropertyKey { (byID ? id : key) ?? text }
}
