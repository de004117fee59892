/// The variations that visitors had last, and the configs that decided them, in bounded memory.
struct KnownVisitors: Sendable {
    /// A variation that a visitor had.
    struct Variation: Sendable {
        var arm: Int
        var config: Int
    }

    /// How many entries are kept unless a limit is given, in some 100 MB.
    static let defaultLimit = 3_000_000
    /// How many experiences share an entry. A visitor is mostly in several, whose own entries would lie far apart in
    /// memory.
    private static let width = SIMD4<UInt32>.scalarCount

    private let limit: Int
    /// By visitor and group of experiences the arm, counted from 1, and the config; 0 for no variation.
    private var entries: [UInt64: SIMD4<UInt32>] = [:]

    /// Whether a visitor was not kept.
    private(set) var isFull = false

    /// No visitors, with room for `limit` entries.
    init(limit: Int = Self.defaultLimit) { self.limit = limit }

    /// Takes the variation that a visitor has now.
    ///
    /// - Parameters:
    ///   - variation: the variation.
    ///   - visitor: the hash of the visitor's id.
    ///   - experience: the number of the experience.
    /// - Returns: the variation before; `nil` if the visitor is new in the experience, or was not kept.
    mutating func update(_ variation: Variation, of visitor: UInt64, in experience: Int) -> Variation? {
        let (group, place) = experience.quotientAndRemainder(dividingBy: Self.width)
        let key = visitor &+ UInt64(group) &* 0x9e37_79b9_7f4a_7c15
        guard entries.count < limit || entries[key] != nil else {
            isFull = true
            return nil
        }
        var last = UInt32(UInt16(clamping: variation.arm + 1)) << 16 | UInt32(UInt16(clamping: variation.config))
        swap(&last, &entries[key, default: SIMD4()][place])
        return last == 0 ? nil : Variation(arm: Int(last >> 16) - 1, config: Int(last & 0xffff))
    }
}
