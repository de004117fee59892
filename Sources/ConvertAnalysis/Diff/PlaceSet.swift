/// A set of places in a list, a bit each.
struct PlaceSet {
    private var words: [UInt64]

    /// - Parameter count: how many places the list has.
    init(empty count: Int) { words = [UInt64](repeating: 0, count: count / UInt64.bitWidth + 1) }

    /// The set of all places.
    init(full count: Int) { words = [UInt64](repeating: .max, count: count / UInt64.bitWidth + 1) }

    mutating func insert(_ place: Int) { words[place / UInt64.bitWidth] |= Self.bit(of: place) }

    /// Removes a place. Returns whether it was in the set.
    mutating func remove(_ place: Int) -> Bool {
        let word = words[place / UInt64.bitWidth]
        words[place / UInt64.bitWidth] = word & ~Self.bit(of: place)
        return word & Self.bit(of: place) != 0
    }

    /// Whether no place is in this set and in another one of the same list.
    func isDisjoint(with other: PlaceSet) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == 0 } }

    private static func bit(of place: Int) -> UInt64 { 1 << UInt64(place % UInt64.bitWidth) }
}
