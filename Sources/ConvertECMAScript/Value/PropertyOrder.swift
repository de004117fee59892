extension ECMAScript {
    /// The array index (ECMA-262 §6.1.7) that `key` spells: the decimal text of an integer below 2^32 - 1, without
    /// leading zeros. `nil` for any other key.
    public static func arrayIndex(_ key: String) -> UInt32? { key.withUTF8Bytes { arrayIndex(utf8: $0) } }

    /// The array index that these bytes spell, or `nil`.
    static func arrayIndex(utf8 digits: ByteText) -> UInt32? {
        guard let first = digits.first, digits.count <= 10, first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var index: UInt64 = 0
        for byte in digits {
            guard let digit = decimalDigit(byte) else { return nil }
            index = index * 10 + UInt64(digit)
        }
        return index < UInt64(UInt32.max) ? UInt32(index) : nil
    }

    /// The positions of `keys` in the order of `Object.keys` (OrdinaryOwnPropertyKeys, ECMA-262 §10.1.11): array
    /// indexes in ascending order, then the other keys in their own order. Takes time n log n in the number of array
    /// indexes.
    public static func ownPropertyKeyOrder(_ keys: [String]) -> [Int] {
        var indexes: [(index: UInt32, position: Int)] = []
        var others: [Int] = []
        for (position, key) in keys.enumerated() {
            if let index = arrayIndex(key) {
                indexes.append((index, position))
            } else {
                others.append(position)
            }
        }
        indexes.sort { $0 < $1 }
        return indexes.map(\.position) + others
    }
}
