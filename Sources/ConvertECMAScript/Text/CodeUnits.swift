extension String {
    /// Whether both texts consist of the same UTF-16 code units. For well-formed text that means the same UTF-8.
    ///
    /// Swift's `==` compares by canonical equivalence, which JavaScript does not have.
    package func hasSameCodeUnits(as other: String) -> Bool {
        withUTF8Bytes { left in other.withUTF8Bytes { left == $0 } }
    }
}

extension ECMAScript {
    /// Whether `left` precedes `right` in the order of UTF-16 code units, as with JavaScript's `<` for two Strings.
    ///
    /// This order differs from the order of code points for characters beyond U+FFFF: U+1F600 precedes U+FF5E.
    public static func isLess(_ left: String, _ right: String) -> Bool {
        left.withUTF8Bytes { left in
            right.withUTF8Bytes { right in compareCodeUnits(utf8: left, right) < 0 }
        }
    }

    /// Compares two texts by UTF-16 code units. The texts are in UTF-8, in which a lone surrogate takes three bytes.
    /// The result is negative if `left` precedes `right`, positive if `right` precedes `left`, and zero if they are
    /// equal.
    package static func compareCodeUnits(
        utf8 left: ByteText, _ right: ByteText
    ) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            if max(left[index], right[index]) >= 0xF0, min(left[index], right[index]) == 0xED {
                return compareSeparated(left, right)
            }
            return codeUnitRank(left[index]) - codeUnitRank(right[index])
        }
        return left.count - right.count
    }

    /// Compares texts, one of which may have a lone surrogate at a place at which the other has a pair.
    private static func compareSeparated(
        _ left: ByteText, _ right: ByteText
    ) -> Int {
        let (left, right) = (separatingSurrogates(left), separatingSurrogates(right))
        return left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    }

    /// The rank of a text by its first differing byte. U+E000…U+FFFF (lead bytes EE and EF) follow all surrogates, and
    /// so follow every four-byte scalar (lead bytes F0…F4). All other bytes are in code unit order.
    private static func codeUnitRank(_ byte: UInt8) -> Int {
        byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte)
    }
}
