extension ByteText {
    /// The scalar that starts at `index`, and its number of bytes.
    ///
    /// A byte that does not start a scalar is read as U+FFFD of length 1, so that invalid UTF-8 never leads a reader
    /// out of the buffer. `index` must be below `count`.
    @inline(__always)
    func scalar(at index: Int) -> (value: UInt32, length: Int) {
        let lead = self[index]
        if lead < 0x80 { return (UInt32(lead), 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, count - index >= length else { return (0xFFFD, 1) }
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            let next = self[index + offset]
            guard next & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (value, length)
    }

    /// The scalar that ends before `index`, and its number of bytes. `index` must be above 0 and at most `count`.
    func scalar(before index: Int) -> (value: UInt32, length: Int) {
        let earliest = Swift.max(0, index - 4)
        var start = index - 1
        while start > earliest, self[start] & 0xC0 == 0x80 { start -= 1 }
        let (value, length) = scalar(at: start)
        return length == index - start ? (value, length) : (0xFFFD, 1)
    }
}
