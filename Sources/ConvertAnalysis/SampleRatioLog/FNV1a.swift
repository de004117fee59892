/// The hash of Fowler, Noll and Vo (1991), variant 1a with 64 bits. The same texts have the same hash in every process.
struct FNV1a: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String) {
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        // Text ends here, so that two texts are not taken for two others.
        value = (value ^ 0xff) &* 0x0000_0100_0000_01b3
    }
}
