/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, on every platform and in every version of
/// this package.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Creates a separate generator for the `index`-th member of a population, so that members can be generated in any
    /// order.
    init(seed: UInt64, index: Int) {
        var mixer = SplitMix64(seed: seed)
        self.init(seed: mixer.next() ^ UInt64(truncatingIfNeeded: index) &* 0xd134_2543_de82_ef95)
        // Adjacent seeds differ in few bits, so the seed is mixed first.
        self.init(seed: next())
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which must be positive. Uses the high half of a product, which is uniform up to
    /// `bound` in 2^64; the standard library's algorithm may change between versions.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a number from 0 up to, but not including, 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns `true` with a probability of `percent` percent.
    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns one of `elements`; `nil` if they are empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
