/// A hash of everything that happened, in order: FNV-1a.
struct Trace {
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func note(_ numbers: Int...) {
        for number in numbers { mix(UInt64(bitPattern: Int64(number))) }
    }

    mutating func note(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { mix(UInt64(byte)) }
    }

    private mutating func mix(_ value: UInt64) { digest = (digest ^ value) &* 0x0000_0100_0000_01b3 }

    /// The digest in hexadecimal.
    var text: String { String(digest, radix: 16) }
}
