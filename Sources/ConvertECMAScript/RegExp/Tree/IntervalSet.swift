/// The elements of a set of characters: code units or code points.
protocol CharacterNumber: FixedWidthInteger, UnsignedInteger, Sendable {
    /// The last character. The first character is 0.
    static var lastCharacter: Self { get }
}

extension UInt16: CharacterNumber {
    static var lastCharacter: UInt16 { 0xffff }
}

extension UInt32: CharacterNumber {
    static var lastCharacter: UInt32 { 0x10ffff }
}

/// A set of characters (ECMA-262, 22.2.2.1, CharSet), as the bounds of its ranges. Ranges are ascending, and not
/// adjacent.
struct IntervalSet<Element: CharacterNumber>: Hashable, Sendable {
    /// First and last element of each range, one after the other.
    private(set) var bounds: [Element]

    static var empty: Self { Self(bounds: []) }
    static var all: Self { Self(bounds: [0, Element.lastCharacter]) }

    /// - Parameter bounds: the first and last element of each range. Ranges must be ascending and not adjacent.
    init(bounds: [Element]) { self.bounds = bounds }

    init(_ elements: Element...) { self.init(ranges: elements.map { $0...$0 }) }

    init(ranges: [ClosedRange<Element>]) {
        if ranges.count == 1 {
            // Nearly all sets have one range, and need no sorting.
            bounds = [ranges[0].lowerBound, ranges[0].upperBound]
            return
        }
        bounds = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = bounds.last, range.lowerBound <= last || range.lowerBound == last + 1 {
                bounds[bounds.count - 1] = max(last, range.upperBound)
            } else {
                bounds.append(range.lowerBound)
                bounds.append(range.upperBound)
            }
        }
    }

    /// The ranges, ascending.
    var ranges: [ClosedRange<Element>] {
        stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    var isEmpty: Bool { bounds.isEmpty }

    /// The elements that are not in the set.
    var inverted: Self {
        var result: [Element] = []
        // `nil` after the last character.
        var next: Element? = 0
        for range in ranges {
            if let next, range.lowerBound > next { result += [next, range.lowerBound - 1] }
            next = range.upperBound < Element.lastCharacter ? range.upperBound + 1 : nil
        }
        if let next { result += [next, Element.lastCharacter] }
        return Self(bounds: result)
    }

    func union(_ other: Self) -> Self { Self(ranges: ranges + other.ranges) }

    func intersection(_ other: Self) -> Self { inverted.union(other.inverted).inverted }

    func subtracting(_ other: Self) -> Self { inverted.union(other).inverted }

    func contains(_ element: Element) -> Bool {
        let count = bounds.count / 2
        let place = (0..<count).partitioningIndex { bounds[2 * $0 + 1] >= element }
        return place < count && bounds[2 * place] <= element
    }
}
