#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The history of a document's fetches: when the document was last known to be current, and the current outage.
package struct FetchRecord<Failure: Error>: Sendable {
    /// A series of failed fetches.
    package struct Outage: Sendable {
        /// The time of the first failure.
        package let start: Date
        /// The error of the last failure.
        package fileprivate(set) var error: Failure
    }

    /// When the document was last known to be current, by the monotonic clock; `nil` if it never was.
    package private(set) var confirmation: Duration?
    /// The current outage; `nil` if the last fetch succeeded, or no fetch has ended yet.
    package private(set) var outage: Outage?

    /// Creates a record without fetches.
    package init() {}

    /// Records a fetch that returned the document, or the answer that it has not changed.
    /// - Returns: whether this ends an outage.
    @discardableResult
    package mutating func succeed(at time: Duration) -> Bool {
        defer { outage = nil }
        confirmation = time
        return outage != nil
    }

    /// Records a failed fetch.
    /// - Returns: whether this begins an outage.
    @discardableResult
    package mutating func fail(_ error: Failure, at date: Date) -> Bool {
        let isFirst = outage == nil
        outage = Outage(start: outage?.start ?? date, error: error)
        return isFirst
    }

    /// The time between the last confirmation that the document is current and `time`.
    package func age(at time: Duration) -> Duration? { confirmation.map { max(.zero, time - $0) } }
}
