import ConvertTransport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Tells configs apart: eight digits that are the same wherever the same bytes are read.
package struct ConfigRevision: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The revision of a config that was read from `document`. It takes time linear to it.
    package init(of document: Data) {
        let digits = String(UInt32(truncatingIfNeeded: DocumentDigest(of: document).hash), radix: 16)
        description = String(repeating: "0", count: 8 - digits.count) + digits
    }
}
