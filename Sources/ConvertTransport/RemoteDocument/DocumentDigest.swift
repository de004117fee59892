#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Identifies a document: the same bytes have the same digest on every machine. It does not keep secrets.
package struct DocumentDigest: Sendable, Hashable {
    /// The number of bytes.
    package let length: Int
    /// A hash of all bytes.
    package let hash: UInt64

    /// Creates the digest of `document`, in time linear to its length.
    package init(of document: Data) {
        length = document.count
        // Words instead of bytes, because documents are long. MurmurHash3's finalizer makes every bit affect the
        // result.
        var hash = UInt64(document.count) &+ 0xcbf2_9ce4_8422_2325
        func combine(_ word: UInt64) { hash = ((hash << 5 | hash >> 59) ^ word) &* 0x9e37_79b9_7f4a_7c15 }
        unsafe document.withUnsafeBytes { bytes in
            // Safe: `end` is a multiple of 8 within the document, so every word is within it too.
            let end = bytes.count & ~7
            for offset in stride(from: 0, to: end, by: 8) {
                unsafe combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            unsafe bytes[end...].forEach { combine(UInt64($0)) }
        }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        self.hash = hash ^ hash >> 33
    }
}
