package import ConvertECMAScript
package import ConvertSwiftSDKCore

/// An answer as a line of a decision log has it.
package struct LoggedAnswer: Sendable {
    /// The kind of the answer, which is the name of its member in the line.
    package enum Member: Sendable { case decisions, features }

    package let member: Member
    /// For an experience: the variation's key (or its id without a key), or `null`. For a feature: `null` if it is
    /// disabled, otherwise a list with an entry for each experience that carries it.
    package let value: JSObject
}

extension Decision {
    /// The variation's key, or its id without a key; `null` without a variation.
    package var logged: JSValue { variation.map { .string($0.variationKey ?? $0.variationID) } ?? .null }
}

extension FeatureDecision {
    /// The features as a log has them.
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
