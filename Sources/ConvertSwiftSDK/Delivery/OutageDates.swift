import ConvertConcurrency
import ConvertMonitoring

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An outage with the dates that the app sees. Dates stay the same as long as the times that they stand for.
struct OutageDates: Sendable {
    private let outage: DestinationStanding.Outage
    /// What the app sees.
    let value: DeliveryOutage

    /// The dates of `outage`, whose beginning may be known from `earlier`.
    init(_ outage: DestinationStanding.Outage, after earlier: OutageDates?, at time: any TimeSource) {
        self.outage = outage
        let (now, date) = (time.now, time.date)
        let known = earlier.flatMap { $0.outage.since == outage.since ? $0.value.since : nil }
        value = DeliveryOutage(
            cause: outage.cause, status: outage.status, since: known ?? date + (outage.since - now).seconds,
            nextAttempt: date + (outage.until - now).seconds)
    }
}
