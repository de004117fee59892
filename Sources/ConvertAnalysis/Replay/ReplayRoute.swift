package import ConvertECMAScript

/// A change of decisions for one experience or feature.
public struct ReplayRoute: Sendable, Hashable {
    /// The experience or feature that was decided.
    public let subject: DecisionReplay.Subject
    /// The logged answer: a variation's key, or JSON text for a feature; `nil` if there was no variation or the feature
    /// was off.
    public let logged: String?
    /// The answer now, in the same form.
    public let found: String?
    /// The reason for having no variation now, or the source of the decision.
    public let reason: String

    init(_ difference: DecisionReplay.Difference) {
        subject = difference.subject
        logged = Self.text(of: difference.logged)
        found = Self.text(of: difference.found)
        reason = difference.reason
    }

    /// A variation's key, or JSON text for a feature; `nil` if there is no variation or the feature is off.
    package static func text(of value: JSValue) -> String? {
        value.isNull ? nil : value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
    }

    /// The key of the experience or of the feature.
    public var name: String { subject.name }

    /// The length of the texts, in bytes.
    var length: Int { name.utf8.count + (logged?.utf8.count ?? 0) + (found?.utf8.count ?? 0) }
}

extension DecisionReplay.Subject {
    /// The key of the experience or of the feature.
    public var name: String {
        switch self {
        case .experience(let name), .feature(let name): name
        }
    }

    /// A JSON object with the key as `experience` or as `feature`.
    var members: JSObject {
        switch self {
        case .experience(let name): ["experience": .string(name)]
        case .feature(let name): ["feature": .string(name)]
        }
    }
}

extension DecisionReplay {
    /// The text after a number of decisions that withheld properties leave open; empty if the number is 0.
    package static func unknowableText(_ count: Int) -> String {
        count > 0 ? ", \(count) cannot be known because properties are withheld" : ""
    }
}
