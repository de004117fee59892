package import ConvertECMAScript

/// Something that a decision asks its caller to do.
package enum DecisionEffect: Sendable, Equatable {
    /// Store a change of the visitor's record.
    case store(VisitorStateChange)
    /// Report an event, together with these segments if it is the first one of the visitor in its batch.
    case track(TrackingEvent, segments: JSObject?)
    /// The visitor came to a location: an index into the config's locations.
    case locationActivated(Int)
    /// The visitor left a location: an index into the config's locations.
    case locationDeactivated(Int)
    /// Log a warning, once per cause.
    case warn(DecisionWarning)
}
