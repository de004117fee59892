import ConvertTransport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Identifies a config by eight hexadecimal digits. The same bytes have the same revision on every machine.
package struct ConfigRevision: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Creates the revision of a config that was read from `document`, in time linear to its length.
    package init(of document: Data) {
        let digits = String(UInt32(truncatingIfNeeded: DocumentDigest(of: document).hash), radix: 16)
        description = String(repeating: "0", count: 8 - digits.count) + digits
    }
}
