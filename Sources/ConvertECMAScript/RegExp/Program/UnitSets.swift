/// Sets of units, laid out for look-ups.
struct UnitSets: Sendable {
    /// The ASCII units of a set.
    struct ASCIISet: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        init(_ set: CharacterSet) {
            for range in set.ranges where range.lowerBound < 128 {
                for unit in range.lowerBound...min(range.upperBound, 127) {
                    if unit < 64 { low |= 1 << UInt64(unit) } else { high |= 1 << UInt64(unit - 64) }
                }
            }
        }

        /// Whether `unit`, which must be less than 128, is in the set.
        @inline(__always)
        func contains(_ unit: UInt16) -> Bool {
            (unit < 64 ? low : high) >> UInt64(unit & 63) & 1 != 0
        }

        mutating func formUnion(_ other: ASCIISet) {
            low |= other.low
            high |= other.high
        }
    }

    private var asciiSets: [ASCIISet] = []
    /// The bounds of all sets, and the start of each set.
    private var bounds: [UInt16] = []
    private var starts: [UInt32] = [0]

    /// The approximate size of the sets in bytes.
    var footprint: Int { asciiSets.count * MemoryLayout<ASCIISet>.stride + bounds.count * 2 + starts.count * 4 }

    init(_ sets: [CharacterSet]) {
        for set in sets {
            asciiSets.append(ASCIISet(set))
            bounds += set.bounds
            starts.append(UInt32(bounds.count))
        }
    }

    @inline(__always)
    func ascii(of set: UInt32) -> ASCIISet { asciiSets[Int(set)] }

    @inline(__always)
    func contains(_ unit: UInt16, in set: UInt32) -> Bool {
        unit < 128 ? asciiSets[Int(set)].contains(unit) : containsHigh(unit, in: set)
    }

    private func containsHigh(_ unit: UInt16, in set: UInt32) -> Bool {
        let (start, end) = (Int(starts[Int(set)]) / 2, Int(starts[Int(set) + 1]) / 2)
        let place = (start..<end).partitioningIndex { bounds[2 * $0 + 1] >= unit }
        return place < end && bounds[2 * place] <= unit
    }
}
