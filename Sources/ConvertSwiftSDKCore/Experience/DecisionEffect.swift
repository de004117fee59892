package import ConvertECMAScript

/// An effect of a decision, which the caller must perform.
package enum DecisionEffect: Sendable, Equatable {
    /// Store a change of the visitor's record.
    case store(VisitorStateChange)
    /// Report an event. If it is the visitor's first event in its batch, report `segments` with it.
    case track(TrackingEvent, segments: JSObject?)
    /// The visitor entered a location: an index into the config's locations.
    case locationActivated(Int)
    /// The visitor left a location: an index into the config's locations.
    case locationDeactivated(Int)
    /// Log a warning, once per cause.
    case warn(DecisionWarning)
}
