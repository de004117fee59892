#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How the fetches of a document went: when the document was last known to be current, and the outage that goes on.
package struct FetchRecord<Failure: Error>: Sendable {
    /// A run of fetches that failed.
    package struct Outage: Sendable {
        /// When the first one failed.
        package let start: Date
        /// How the last one failed.
        package fileprivate(set) var error: Failure
    }

    /// When the document was last known to be current, by the clock that never goes back; `nil` if it never was.
    package private(set) var confirmation: Duration?
    /// The outage that goes on; `nil` if the last fetch succeeded, or none has ended yet.
    package private(set) var outage: Outage?

    /// No fetch has ended.
    package init() {}

    /// Takes note of a fetch that brought the document, or the answer that it has not changed.
    /// - Returns: whether it ends an outage.
    @discardableResult
    package mutating func succeed(at time: Duration) -> Bool {
        defer { outage = nil }
        confirmation = time
        return outage != nil
    }

    /// Takes note of a fetch that failed.
    /// - Returns: whether an outage begins with it.
    @discardableResult
    package mutating func fail(_ error: Failure, at date: Date) -> Bool {
        let isFirst = outage == nil
        outage = Outage(start: outage?.start ?? date, error: error)
        return isFirst
    }

    /// How long before `time` the document was last known to be current.
    package func age(at time: Duration) -> Duration? { confirmation.map { max(.zero, time - $0) } }
}
