extension String {
    /// Whether both texts consist of the same UTF-16 code units, which for well-formed text means the same UTF-8.
    ///
    /// Swift's `==` is canonical equivalence, which JavaScript does not know.
    package func hasSameCodeUnits(as other: String) -> Bool {
        withUTF8Bytes { left in other.withUTF8Bytes { left.hasSameBytes(as: $0) } }
    }
}

extension ECMAScript {
    /// Whether `left` comes before `right` in the order of UTF-16 code units, which is JavaScript's `<` of two Strings.
    ///
    /// It differs from the order of code points where surrogates are involved: U+1F600 comes before U+FF5E.
    public static func isLess(_ left: String, _ right: String) -> Bool {
        left.withUTF8Bytes { left in
            right.withUTF8Bytes { right in compareCodeUnits(utf8: left, right) < 0 }
        }
    }

    /// Compares two texts, given as UTF-8 in which a lone surrogate takes three bytes, in the order of UTF-16 code units. The
    /// result is negative if `left` comes first, positive if `right` does, and zero if they are the same.
    package static func compareCodeUnits(
        utf8 left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            if max(left[index], right[index]) >= 0xF0, min(left[index], right[index]) == 0xED {
                return compareSeparated(left, right)
            }
            return codeUnitRank(left[index]) - codeUnitRank(right[index])
        }
        return left.count - right.count
    }

    /// Compares texts of which one may have a lone surrogate where the other one has a pair.
    private static func compareSeparated(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let (left, right) = (separatingSurrogates(left), separatingSurrogates(right))
        return left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    }

    /// Where the first differing byte puts its text. U+E000…U+FFFF (leads EE and EF) come after all surrogates, thus
    /// after every scalar of four bytes (leads F0…F4); in all else bytes are in the order of code units.
    private static func codeUnitRank(_ byte: UInt8) -> Int {
        byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte)
    }
}
