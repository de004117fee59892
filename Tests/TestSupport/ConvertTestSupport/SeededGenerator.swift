/// SplitMix64 (Steele, Lea, Flood 2014): the same sequence for the same seed, on every platform.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number in `range`.
    package mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Whether something of `percent` likelihood happens.
    package mutating func happens(_ percent: Int) -> Bool { int(1...100) <= percent }

    /// One of `elements`, which must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }

    /// Up to `count` elements.
    package mutating func list<Element>(upTo count: Int, _ element: (inout SeededGenerator) -> Element) -> [Element] {
        (0..<int(0...count)).map { _ in element(&self) }
    }

    /// A text of letters from `alphabet`, of a length in `lengths`.
    package mutating func text(of alphabet: String, _ lengths: ClosedRange<Int>) -> String {
        let letters = Array(alphabet)
        return String((0..<int(lengths)).map { _ in pick(letters) })
    }
}
