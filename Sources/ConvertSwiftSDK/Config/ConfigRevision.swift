package import Foundation

/// Tells configs apart: eight digits that are the same wherever the same bytes are read.
package struct ConfigRevision: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The revision of a config that was read from `document`. It takes time linear to it.
    package init(of document: Data) {
        // Words instead of bytes, since configs are long; MurmurHash3's finalizer lets every bit count.
        var hash = UInt64(document.count) &+ 0xcbf2_9ce4_8422_2325
        func combine(_ word: UInt64) { hash = ((hash << 5 | hash >> 59) ^ word) &* 0x9e37_79b9_7f4a_7c15 }
        document.withUnsafeBytes { bytes in
            let end = bytes.count & ~7
            for offset in stride(from: 0, to: end, by: 8) {
                combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            for byte in bytes[end...] { combine(UInt64(byte)) }
        }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        hash ^= hash >> 33
        let digits = String(UInt32(truncatingIfNeeded: hash), radix: 16)
        description = String(repeating: "0", count: 8 - digits.count) + digits
    }
}
