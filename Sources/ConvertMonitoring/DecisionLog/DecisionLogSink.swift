#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Receives the lines of a ``DecisionLog``.
public protocol DecisionLogSink: Sendable {
    /// Writes complete lines, each with its newline. The SDK makes one call at a time, on a thread that may block.
    ///
    /// - Throws: any error if the lines are not written. They are dropped and counted as lost.
    func write(_ lines: Data) throws
}
