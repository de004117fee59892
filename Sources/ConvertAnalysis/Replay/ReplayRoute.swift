package import ConvertECMAScript

/// From what to what decisions of one experience or feature went.
public struct ReplayRoute: Sendable, Hashable {
    /// What was decided.
    public let subject: DecisionReplay.Subject
    /// What was logged: a variation's key, or JSON text for a feature; `nil` for no variation or feature.
    public let logged: String?
    /// What is decided now.
    public let found: String?
    /// Why there is no variation now, or where the decision came from.
    public let reason: String

    init(_ difference: DecisionReplay.Difference) {
        subject = difference.subject
        logged = Self.text(of: difference.logged)
        found = Self.text(of: difference.found)
        reason = difference.reason
    }

    /// A variation's key, or JSON text for a feature; `nil` for neither.
    package static func text(of value: JSValue) -> String? {
        value.isNull ? nil : value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
    }

    /// The key of the experience or of the feature.
    public var name: String { subject.name }

    /// How many bytes its texts take.
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
    /// What follows a count, about what withheld properties leave open; empty if that is nothing.
    package static func unknowableText(_ count: Int) -> String {
        count > 0 ? ", \(count) cannot be known because properties are withheld" : ""
    }
}
