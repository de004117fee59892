import ConvertConcurrency

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which bytes the consumer of a document has adopted, so that the same bytes again change nothing.
package final class AdoptedBytes: Sendable {
    private let digest = Mutex<DocumentDigest?>(nil)

    /// No bytes were adopted.
    package init() {}

    /// Has `adopt` make use of `document`, unless it is the one that was adopted last.
    /// - Returns: whether it did.
    /// - Throws: what `adopt` throws; then what was adopted before counts.
    @discardableResult
    func replace(with document: Data, _ adopt: (Data) throws -> Void) throws -> Bool {
        let new = DocumentDigest(of: document)
        if digest.withLock({ $0 == new }) { return false }
        // Outside of the lock: a config takes long to compile, and its listeners may do anything.
        try adopt(document)
        digest.withLock { $0 = new }
        return true
    }
}
