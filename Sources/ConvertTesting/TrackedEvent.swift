public import ConvertECMAScript

/// An event that an SDK for testing would have reported.
public struct TrackedEvent: Sendable, Equatable {
    /// The contents of an event.
    public enum Content: Sendable, Equatable {
        /// A visitor saw a variation that was not stored for the visitor before.
        case exposure(experienceKey: String, variationKey: String)
        /// A visitor triggered a goal. `values` contains the conversion's values by name: `amount`, `productsCount`,
        /// `transactionId`, `customDimension1` to `customDimension5`.
        case conversion(goalKey: String, values: JSObject)
    }

    /// The contents.
    public let content: Content

    /// The visitor's id.
    public let visitorID: String

    /// A visitor saw a variation that was not stored for the visitor before.
    ///
    /// - Parameters:
    ///   - experienceKey: the experience's key, or its id if it has no key.
    ///   - variationKey: the variation's key, or its id if it has no key.
    ///   - visitorID: the visitor's id.
    public static func exposure(_ experienceKey: String, _ variationKey: String, visitorID: String) -> TrackedEvent {
        TrackedEvent(
            content: .exposure(experienceKey: experienceKey, variationKey: variationKey), visitorID: visitorID)
    }

    /// A visitor triggered a goal.
    ///
    /// - Parameters:
    ///   - goalKey: the goal's key.
    ///   - values: the conversion's values, such as `["amount": 49.9]`.
    ///   - visitorID: the visitor's id.
    public static func conversion(_ goalKey: String, _ values: JSObject = JSObject(), visitorID: String) -> TrackedEvent
    {
        TrackedEvent(content: .conversion(goalKey: goalKey, values: values), visitorID: visitorID)
    }

    /// A visitor triggered a goal, with Swift values. Values that are `nil` are left out.
    @_disfavoredOverload
    public static func conversion(_ goalKey: String, _ values: SwiftProperties, visitorID: String) -> TrackedEvent {
        conversion(goalKey, values.object, visitorID: visitorID)
    }
}

extension TrackedEvent: CustomStringConvertible {
    /// The event, on one line.
    public var description: String {
        switch content {
        case .exposure(let experience, let variation): "\(visitorID): \(experience) = \(variation)"
        case .conversion(let goal, let values):
            "\(visitorID): \(goal)" + (values.isEmpty ? "" : " \(ECMAScript.jsonText(of: .object(values)))")
        }
    }
}
