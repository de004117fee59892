/// A set of indices of a list, as one bit each.
struct PlaceSet {
    private var words: [UInt64]

    /// Creates an empty set for a list of `count` elements.
    init(empty count: Int) { words = [UInt64](repeating: 0, count: count / UInt64.bitWidth + 1) }

    /// Creates the set of all indices of a list of `count` elements.
    init(full count: Int) { words = [UInt64](repeating: .max, count: count / UInt64.bitWidth + 1) }

    mutating func insert(_ place: Int) { words[place / UInt64.bitWidth] |= Self.bit(of: place) }

    /// Removes an index. Returns whether it was in the set.
    mutating func remove(_ place: Int) -> Bool {
        let word = words[place / UInt64.bitWidth]
        words[place / UInt64.bitWidth] = word & ~Self.bit(of: place)
        return word & Self.bit(of: place) != 0
    }

    /// Whether this set has no index in common with another one of the same list.
    func isDisjoint(with other: PlaceSet) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == 0 } }

    private static func bit(of place: Int) -> UInt64 { 1 << UInt64(place % UInt64.bitWidth) }
}
