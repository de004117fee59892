import ConvertMonitoring

/// What the endpoint's answers mean for events that stay.
extension DeliveryState {
    /// Why events wait, if they do: the outage of the current destination, or else the one that has lasted longest.
    var outage: DestinationStanding.Outage? {
        let current = tracked.last.flatMap { current in standings.first { $0.destination == current }?.outage }
        return current ?? standings.lazy.compactMap(\.outage).min { $0.since < $1.since }
    }

    /// The index in `standings` of what is known of `destination`.
    mutating func indexOfStanding(of destination: TrackingDestination) -> Int {
        if let index = standings.firstIndex(where: { $0.destination == destination }) { return index }
        standings.append(DestinationStanding(destination))
        return standings.count - 1
    }

    /// Pauses the destination at `index`, whose events are in `queue`. Asks for a warning if the outage does not pass
    /// by itself.
    mutating func pause(
        _ index: Int, _ cause: DeliveryOutage.Cause, _ status: Int?, retryAfter: Duration?, now: Duration,
        using generator: inout some RandomNumberGenerator, _ actions: inout [Action]
    ) {
        if let status, cause != .unavailable, !standings.contains(where: { $0.causes.contains(cause) }) {
            actions.append(.warn(cause, status: status))
        }
        standings[index].didFail(
            cause, status: status, retryAfter: retryAfter, now: now, policy: policy, using: &generator)
        postpone()
    }
}
