package import ConvertECMAScript
package import ConvertSwiftSDKCore

/// What a line of a decision log has of an answer.
package struct LoggedAnswer: Sendable {
    /// What it is about, which is the member that holds it.
    package enum Member: Sendable { case decisions, features }

    package let member: Member
    /// By experience the key of the variation (or its id, if it has no key) or `null`; by feature `null` if it is off,
    /// else a list with an entry for each experience that carries it.
    package let value: JSObject
}

extension Decision {
    /// The key of the variation, or else its id; `null` without one.
    package var logged: JSValue { variation.map { .string($0.variationKey ?? $0.variationID) } ?? .null }
}

extension FeatureDecision {
    /// Each feature as a log has it.
    package var logged: JSObject {
        var logged = JSObject()
        for feature in features {
            guard let name = feature.key ?? feature.id else { continue }
            let key = PropertyKey(name)
            guard feature.status == .enabled else {
                logged[key] = logged[key] ?? .null
                continue
            }
            let entry: JSValue = [
                "experience": feature.experienceKey.map(JSValue.string) ?? .null,
                "variables": feature.variables ?? .null,
            ]
            logged[key] = .array((logged[key]?.arrayValue ?? []) + [entry])
        }
        return logged
    }
}
