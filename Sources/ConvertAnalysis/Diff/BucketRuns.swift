internal import ConvertSwiftSDKCore

/// Which variation each bucket value of an experience gets, as runs of values.
struct BucketRuns {
    /// The bucket values of visitors who are hashed as the SDK does by default.
    static let count = 10_000

    /// A run of bucket values with one variation, by its place; `nil` for none.
    struct Run {
        let values: Range<Int>
        let variation: Int?
    }

    let runs: [Run]

    /// The runs of an experience of whose visitors each has one of `count` bucket values.
    init(_ experience: Experience, count: Int = Self.count) {
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        var edges: Set<Int> = [0, count]
        for range in layout.ranges {
            for edge in [range.start, range.end] where edge > 0 && edge < Double(count) {
                edges.insert(Int(edge.rounded(.up)))
            }
        }
        let sorted = edges.sorted()
        runs = zip(sorted, sorted.dropFirst()).map { start, end in
            Run(values: start..<end, variation: layout.variation(for: Double(start)))
        }
    }

    /// Whether nobody gets any variation.
    var isEmpty: Bool { runs.allSatisfy { $0.variation == nil } }

    /// Whether no bucket value gets the variation at `place`.
    func isUnreachable(_ place: Int) -> Bool { !runs.contains { $0.variation == place } }
}
