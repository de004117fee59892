public import ConvertECMAScript

/// Something that an SDK made for testing would have reported.
public struct TrackedEvent: Sendable, Equatable {
    /// What happened.
    public enum Content: Sendable, Equatable {
        /// A visitor was given a variation for the first time.
        case exposure(experienceKey: String, variationKey: String)
        /// A visitor triggered a goal; the values are those that the conversion brought, by their names: `amount`,
        /// `productsCount`, `transactionId`, `customDimension1` to `customDimension5`.
        case conversion(goalKey: String, values: JSObject)
    }

    /// What happened.
    public let content: Content

    /// The visitor's id.
    public let visitorID: String

    /// A visitor was given a variation for the first time. What the config gives no key is named by its id.
    public static func exposure(_ experienceKey: String, _ variationKey: String, visitorID: String) -> TrackedEvent {
        TrackedEvent(
            content: .exposure(experienceKey: experienceKey, variationKey: variationKey), visitorID: visitorID)
    }

    /// A visitor triggered a goal.
    ///
    /// - Parameters:
    ///   - goalKey: the goal's key.
    ///   - values: what the conversion brought, such as `["amount": 49.9]`.
    ///   - visitorID: the visitor's id.
    public static func conversion(_ goalKey: String, _ values: JSObject = JSObject(), visitorID: String) -> TrackedEvent
    {
        TrackedEvent(content: .conversion(goalKey: goalKey, values: values), visitorID: visitorID)
    }

    /// A visitor triggered a goal, with values from Swift values; those that are `nil` are left out.
    @_disfavoredOverload
    public static func conversion(_ goalKey: String, _ values: SwiftProperties, visitorID: String) -> TrackedEvent {
        conversion(goalKey, values.object, visitorID: visitorID)
    }
}

extension TrackedEvent: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch content {
        case .exposure(let experience, let variation): "\(visitorID): \(experience) = \(variation)"
        case .conversion(let goal, let values):
            "\(visitorID): \(goal)" + (values.isEmpty ? "" : " \(ECMAScript.jsonText(of: .object(values)))")
        }
    }
}
