package import ConvertECMAScript

/// MurmurHash3_x86_32, Austin Appleby's public-domain hash.
///
/// A visitor's bucket value is this hash of the experience id followed by the visitor id, so its answers are part of
/// the product: changing one bit moves visitors between variations. The hash is a value type: the experience id is fed
/// once, and a copy continues with each visitor id.
package struct MurmurHash3: Sendable, BitwiseCopyable {
    private var state: UInt32
    /// Bytes that do not fill a block yet; the first one is in the lowest bits.
    private var block: UInt32 = 0
    private var count: UInt32 = 0

    package init(seed: UInt32) { state = seed }

    /// Feeds the UTF-8 of `text`. Two calls hash like one call with the texts joined, so callers need not join texts.
    @inline(__always)
    package mutating func combine(_ text: String) {
        text.withUTF8Bytes { combine($0) }
    }

    @inline(__always)
    package mutating func combine(_ bytes: ByteText) {
        let pending = UInt64(count & 3) &* 8
        self.count &+= UInt32(truncatingIfNeeded: bytes.count)
        let (rest, count) = bytes.forEachWord { (word: UInt32) in feed(UInt32(littleEndian: word), pending) }
        feed(rest, count: count, pending)
    }

    /// Feeds four bytes after the `pending` bits of bytes that do not fill a block yet.
    @inline(__always)
    private mutating func feed(_ word: UInt32, _ pending: UInt64) {
        // The word straddles two blocks: its low part completes one, and its high part starts the next.
        let joined = UInt64(block) | UInt64(word) &<< pending
        mix(UInt32(truncatingIfNeeded: joined))
        block = UInt32(truncatingIfNeeded: joined &>> 32)
    }

    /// Feeds the last bytes, at most three. Together with the pending bytes they fill at most two blocks.
    @inline(__always)
    private mutating func feed(_ bytes: UInt64, count: Int, _ pending: UInt64) {
        let joined = UInt64(block) | bytes &<< pending
        block = UInt32(truncatingIfNeeded: joined)
        if pending &+ UInt64(8 &* count) >= 32 {
            mix(block)
            block = UInt32(truncatingIfNeeded: joined &>> 32)
        }
    }

    /// Returns the hash of all bytes fed so far.
    package func finalize() -> UInt32 {
        // A partial block is scrambled but not rotated in; an empty one scrambles to 0 and changes nothing.
        var hash = state ^ scramble(block) ^ count
        hash = (hash ^ (hash >> 16)) &* 0x85eb_ca6b
        hash = (hash ^ (hash >> 13)) &* 0xc2b2_ae35
        return hash ^ (hash >> 16)
    }

    private mutating func mix(_ block: UInt32) {
        state = rotateLeft(state ^ scramble(block), by: 13) &* 5 &+ 0xe654_6b64
    }
}

@inline(__always)
private func scramble(_ block: UInt32) -> UInt32 { rotateLeft(block &* 0xcc9e_2d51, by: 15) &* 0x1b87_3593 }

@inline(__always)
private func rotateLeft(_ value: UInt32, by count: UInt32) -> UInt32 { (value << count) | (value >> (32 &- count)) }
