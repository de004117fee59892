import ConvertECMAScript

/// The hash FNV-1a of Fowler, Noll and Vo (1991) with 64 bits. Equal bytes have the same hash in every process.
enum FNV1a {
    static func hash(_ bytes: ByteText) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
