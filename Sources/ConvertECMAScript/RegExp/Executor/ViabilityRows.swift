/// What is viable at the positions of a part's way, a segment of them at a time.
///
/// Of each other segment only the row is kept from which its rows are computed again, so that memory grows with the root of
/// the input's length.
struct ViabilityRows<Input: RegExpInput> {
    private var viability: Viability<Input>
    private let part: LinearProgram.Part
    /// The first position of the way.
    private let origin: Int
    /// Positions of a segment.
    private let length: Int
    private let wordCount: Int
    /// The position of each segment that is furthest on the way, and its row.
    private var ends: [(position: Int, row: [UInt64])?]
    private var rows: [UInt64]
    /// The segment of `rows`.
    private var current = 0

    /// More than the places of a scalar, so that each segment has a position.
    private static var leastLength: Int { 8 }

    /// The rows of the way of `part` from `origin` on. `viability` has not gone anywhere yet.
    ///
    /// - Parameter keptBytes: Bytes of rows that are kept however short the way.
    init(
        _ viability: Viability<Input>, _ part: LinearProgram.Part, from origin: Int, _ truths: TruthTables,
        keptBytes: Int
    ) {
        self.viability = viability
        self.part = part
        self.origin = origin
        wordCount = viability.states.count
        let distance = abs(viability.position - origin)
        let root = Int(Double(distance).squareRoot()) + 1
        length = max(root, keptBytes / (8 * wordCount), Self.leastLength)
        ends = Array(repeating: nil, count: distance / length + 1)
        rows = [UInt64](repeating: 0, count: min(length, distance + 1) * wordCount)
        var isOnTheWay = true
        while isOnTheWay {
            let segment = segment(of: self.viability.position)
            if ends[segment] == nil { ends[segment] = (self.viability.position, self.viability.states) }
            if segment == 0 { keepRow() }
            isOnTheWay = self.viability.position != origin && self.viability.advance(truths)
        }
    }

    /// Steps taken so far.
    var work: Int { viability.work }

    /// Makes ready for questions about `position`.
    @inline(__always)
    mutating func reach(_ position: Int, _ truths: TruthTables) {
        let segment = segment(of: position)
        if segment != current { compute(segment, truths) }
    }

    /// Whether the rest of the part matches from instruction `index` on at `position`, which was reached.
    @inline(__always)
    func isViable(_ index: Int, _ progress: Viability<Input>.Progress, at position: Int) -> Bool {
        let state = viability.width * (index - part.code.lowerBound) + progress.rawValue
        return rows[row(of: position) + state >> 6] >> UInt64(state & 63) & 1 != 0
    }

    private mutating func compute(_ segment: Int, _ truths: TruthTables) {
        guard let end = ends[segment] else { return }
        current = segment
        viability.resume(at: end.position, with: end.row)
        keepRow()
        while viability.position != origin, viability.advance(truths), self.segment(of: viability.position) == segment {
            keepRow()
        }
    }

    private mutating func keepRow() {
        let start = row(of: viability.position)
        for word in 0..<wordCount { rows[start + word] = viability.states[word] }
    }

    @inline(__always)
    private func segment(of position: Int) -> Int { abs(position - origin) / length }

    @inline(__always)
    private func row(of position: Int) -> Int { (abs(position - origin) - current * length) * wordCount }
}
