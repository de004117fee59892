package import ConvertECMAScript

/// An event to report about a visitor.
package enum TrackingEvent: Sendable, Equatable {
    /// A new decision was made for the visitor in an experience.
    case bucketing(experienceID: String, variationID: String)
    /// The visitor triggered a goal. `goalData` contains the conversion's values, or is `nil`. `bucketing` contains the
    /// decisions that were stored before the conversion.
    case conversion(goalID: EntityID, goalData: JSValue?, bucketing: JSObject?)
}
