/// The viable states at the positions of a part's path, for one segment of positions at a time.
///
/// For each other segment only one row is kept, from which the segment's other rows can be computed again. Memory
/// therefore grows with the square root of the input's length.
struct ViabilityRows<Input: RegExpInput> {
    private var viability: Viability<Input>
    private let part: LinearProgram.Part
    /// The first position of the path.
    private let origin: Int
    /// The number of positions in a segment.
    private let length: Int
    private let wordCount: Int
    /// For each segment its last position on the path, and the row there.
    private var ends: [(position: Int, row: [UInt64])?]
    private var rows: [UInt64]
    /// The index of the segment in `rows`.
    private var current = 0

    /// The minimum number of positions in a segment. It is larger than a scalar, so that the path visits each segment.
    private static var leastLength: Int { 8 }

    /// Computes the rows of the path of `part` from `origin` on. `viability` must not have advanced yet.
    ///
    /// - Parameter keptBytes: the number of bytes of rows that are kept even for a short path.
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

    /// The number of steps taken so far.
    var work: Int { viability.work }

    /// Prepares for questions about `position`.
    @inline(__always)
    mutating func reach(_ position: Int, _ truths: TruthTables) {
        let segment = segment(of: position)
        if segment != current { compute(segment, truths) }
    }

    /// Whether the rest of the part matches from instruction `index` on at `position`, which must be the position of
    /// the last call of ``reach(_:_:)``.
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
