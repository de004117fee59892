public import ConvertECMAScript

/// An event that an SDK for testing would have reported.
public struct TrackedEvent: Sendable, Equatable {
    /// The contents of an event.
    public enum Content: Sendable, Equatable {
        /// A visitor was given a variation for the first time.
        case exposure(experienceKey: String, variationKey: String)
        /// A visitor triggered a goal. The values are those of the conversion, by name: `amount`, `productsCount`,
        /// `transactionId`, `customDimension1` to `customDimension5`.
        case conversion(goalKey: String, values: JSObject)
    }

    /// The contents.
    public let content: Content

    /// The visitor's id.
    public let visitorID: String

    /// A visitor was given a variation for the first time. An experience or variation without a key is named by its id.
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
