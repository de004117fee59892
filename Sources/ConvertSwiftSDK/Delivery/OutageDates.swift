import ConvertConcurrency
import ConvertMonitoring

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An outage with its public dates. A date stays the same as long as the monotonic time that it represents.
struct OutageDates: Sendable {
    private let outage: DestinationStanding.Outage
    /// The public form.
    let value: DeliveryOutage

    /// Creates the dates of `outage`. If `earlier` is the same outage, keeps its beginning.
    init(_ outage: DestinationStanding.Outage, after earlier: OutageDates?, at time: any TimeSource) {
        self.outage = outage
        let (now, date) = (time.now, time.date)
        let known = earlier.flatMap { $0.outage.since == outage.since ? $0.value.since : nil }
        value = DeliveryOutage(
            cause: outage.cause, status: outage.status, since: known ?? date + (outage.since - now).seconds,
            nextAttempt: date + (outage.until - now).seconds)
    }
}
