package import ConvertECMAScript
internal import ConvertSwiftSDK
package import ConvertSwiftSDKCore

/// A repeated decision of a log's line.
package struct ReplayedDecision: Sendable {
    /// The experience or feature that was decided.
    package let subject: DecisionReplay.Subject
    /// The logged answer; `nil` if the line does not contain the decision.
    package let logged: JSValue?
    /// The answer now; `nil` if it cannot be determined without the visitor's id.
    package let found: JSValue?
    /// The source of the variation or feature now, or the reason why the visitor has neither.
    package let reason: String
    /// The engine's decision for the experience; `nil` for a feature, or if it cannot be determined.
    package var decision: Decision?
    /// The steps of the decision; `nil` unless they were requested.
    package var explanation: Explanation?
    /// The steps for a feature; `nil` unless they were requested.
    package var featureExplanation: FeatureExplanation?
    /// The names of withheld data that may decide whether the answer differs.
    var withheld: [String] = []
    /// Whether the line contains an answer to compare. A decision that only the caller asked for is not compared.
    package var isCompared = true

    /// The key, or the id, of the experience or feature.
    package var name: String { subject.name }

    /// Whether the answer differs from the log.
    package var isDifferent: Bool {
        guard isCompared, let found else { return false }
        let before = logged ?? .null
        // Compared in the line's form, because a number may be spelled differently in the config.
        return before != found
            && ECMAScript.jsonText(keepingNumbersOf: found) != ECMAScript.jsonText(keepingNumbersOf: before)
    }

    /// Whether the answer differs, whatever the line withholds.
    package var isKnownToDiffer: Bool { isDifferent && withheld.isEmpty }

    /// The names of withheld data, if it decides whether the answer differs; otherwise empty.
    package var unknowable: [String] {
        found == nil ? [LoggedMember.visitorID.rawValue] : isCompared ? withheld : []
    }

    /// The lines of the explanation; empty if there is no explanation.
    package var explanationLines: [ExplanationLine] { explanation?.lines ?? featureExplanation?.lines ?? [] }
}

/// An experience's name as the caller of a replay wrote it, with its key and id in a config.
struct ExperienceName {
    private let text: PropertyKey
    private let key: PropertyKey?
    private let id: PropertyKey?

    /// - Parameters:
    ///   - name: the key, or else the id.
    ///   - config: the config that contains the experience.
    init(_ name: String, in config: ProjectConfig) {
        text = PropertyKey(name)
        let experience = config.experience(named: name)
        key = experience?.entityKey.lookUp
        id = experience?.id.key
    }

    /// The name in a call that identifies experiences by id or by key.
    func asked(byID: Bool) -> PropertyKey { (byID ? id : key) ?? text }
}
