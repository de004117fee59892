internal import ConvertECMAScript

/// Comparisons that read one attribute in one way, side by side in the table of comparisons.
struct ComparisonRun: Sendable, BitwiseCopyable {
    let kind: ComparisonRow.Kind
    /// The attribute's slot.
    let slot: UInt32
    /// Range among the program's comparisons.
    let range: TableRange
}

/// A program's comparisons in the order in which a sweep answers them: by slot, then by kind.
struct ComparisonRuns {
    let rows: [ComparisonRow]
    let runs: [ComparisonRun]
    /// The place in `rows` of each comparison, by the number it had before.
    let places: [Int]

    /// Takes time linear to the comparisons and to the slots.
    init(of comparisons: [ComparisonRow], slotCount: Int) {
        let kinds = ComparisonRow.Kind.allCases.count
        func bin(_ row: ComparisonRow) -> Int { Int(row.slot) * kinds + Int(row.kind.rawValue) }
        var starts = [Int](repeating: 0, count: slotCount * kinds + 1)
        for row in comparisons { starts[bin(row) + 1] += 1 }
        var runs: [ComparisonRun] = []
        for bin in 1..<starts.count {
            let (start, count) = (starts[bin - 1], starts[bin])
            starts[bin] = start + count
            guard count > 0 else { continue }
            runs.append(
                ComparisonRun(
                    kind: ComparisonRow.Kind.allCases[(bin - 1) % kinds], slot: UInt32((bin - 1) / kinds),
                    range: TableRange(start: start, count: count)))
        }
        var rows = comparisons
        places = comparisons.map { row in
            let place = starts[bin(row)]
            starts[bin(row)] += 1
            rows[place] = row
            return place
        }
        self.rows = rows
        self.runs = runs
    }
}
