import ConvertConcurrency

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Remembers the bytes that a document's consumer adopted last, so that receiving them again changes nothing.
package final class AdoptedBytes: Sendable {
    private let digest = Mutex<DocumentDigest?>(nil)

    /// Creates an instance without adopted bytes.
    package init() {}

    /// Calls `adopt` with `document`, unless it was adopted last.
    /// - Returns: whether it called `adopt`.
    /// - Throws: the error of `adopt`; the earlier document then stays adopted.
    @discardableResult
    func replace(with document: Data, _ adopt: (Data) throws -> Void) throws -> Bool {
        let new = DocumentDigest(of: document)
        if digest.withLock({ $0 == new }) { return false }
        // Called without the lock: a config takes long to compile, and its listeners run arbitrary code.
        try adopt(document)
        digest.withLock { $0 = new }
        return true
    }
}
