#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Takes the lines of a ``DecisionLog``.
public protocol DecisionLogSink: Sendable {
    /// Takes whole lines, each with its end. One call is made at a time, on a thread that may be blocked.
    ///
    /// - Throws: any error if the lines are not taken. They are given up.
    func write(_ lines: Data) throws
}
