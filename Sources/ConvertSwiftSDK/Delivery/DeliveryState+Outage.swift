import ConvertMonitoring

/// The effects of the endpoint's responses on events that wait.
extension DeliveryState {
    /// Why events wait: the outage of the current destination, or else the longest one; `nil` if there are no outages.
    var outage: DestinationStanding.Outage? {
        let current = tracked.last.flatMap { current in standings.first { $0.destination == current }?.outage }
        return current ?? standings.lazy.compactMap(\.outage).min { $0.since < $1.since }
    }

    /// The index of the destination's standing in `standings`; adds a standing if there is no entry yet.
    mutating func indexOfStanding(of destination: TrackingDestination) -> Int {
        if let index = standings.firstIndex(where: { $0.destination == destination }) { return index }
        standings.append(DestinationStanding(destination))
        return standings.count - 1
    }

    /// Pauses the destination at `index`, whose events are in `queue`. Requests a warning if the outage does not end by
    /// itself.
    mutating func pause(
        _ index: Int, _ cause: DeliveryOutage.Cause, _ status: Int?, retryAfter: Duration?, now: Duration,
        using generator: inout some RandomNumberGenerator, _ actions: inout [Action]
    ) {
        if let status, cause != .unavailable, !standings.contains(where: { $0.causes.contains(cause) }) {
            actions.append(.warn(cause, status: status))
        }
        standings[index].didFail(
            cause, status: status, retryAfter: retryAfter, now: now, policy: policy, using: &generator)
        if let drainEnd { standings[index].shortenPause(from: now, before: drainEnd) }
        postpone()
    }
}
