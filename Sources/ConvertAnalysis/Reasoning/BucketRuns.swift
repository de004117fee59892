internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The variations of an experience's bucket values, as runs of values.
struct BucketRuns {
    /// The number of bucket values under the SDK's default hashing.
    static let count = 10_000

    /// A run of bucket values that belong to one arm.
    struct Run {
        let values: Range<Int>
        /// The index of the arm's variation; `nil` if the values belong to no arm.
        let arm: Int?
        /// The index of the variation that visitors get, which is found by the arm's id; `nil` if no variation is
        /// found.
        let variation: Int?
    }

    let runs: [Run]
    /// The indices of the variations that visitors get.
    private let dealt: Set<Int>

    /// Creates the runs of an experience whose visitors have one of `count` bucket values.
    init(_ experience: ProjectConfig.Experience, under semantics: RuleSemantics, count: Int = Self.count) {
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        var edges: Set<Int> = [0, count]
        for range in layout.ranges {
            for edge in [range.start, range.end] where edge > 0 && edge < Double(count) {
                edges.insert(Int(edge.rounded(.up)))
            }
        }
        let sorted = edges.sorted()
        let places = VariationIndex(experience, under: semantics)
        // Arms that do not overlap are found in one pass.
        let ranges = layout.ranges
        let areApart = zip(ranges, ranges.dropFirst()).allSatisfy { $0.end <= $1.start }
        var next = 0
        func arm(of value: Double) -> Int? {
            guard areApart else { return layout.variation(for: value) }
            while next < ranges.count, ranges[next].end <= value { next += 1 }
            guard next < ranges.count, ranges[next].start <= value, value < ranges[next].end else { return nil }
            return ranges[next].variation
        }
        let runs = zip(sorted, sorted.dropFirst()).map { start, end in
            let arm = arm(of: Double(start))
            return Run(
                values: start..<end, arm: arm,
                variation: arm.flatMap { experience.variations[$0].id }.flatMap { places[$0.key] })
        }
        self.runs = runs
        dealt = Set(runs.compactMap(\.variation))
    }

    /// The numbers of bucket values with a variation that had no variation in `earlier`, by the variations' indices.
    func newValues(since earlier: BucketRuns) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        let free = earlier.taken.complement.ranges
        for run in runs {
            guard let variation = run.variation else { continue }
            counts[variation, default: 0] += free.reduce(0) { $0 + $1.clamped(to: run.values).count }
        }
        return counts
    }

    /// The number of bucket values with the variation at `place`.
    func valueCount(of place: Int) -> Int {
        runs.reduce(0) { $0 + ($1.variation == place ? $1.values.count : 0) }
    }

    /// Whether a visitor with the bucket value gets a variation.
    func giveVariation(for value: Int) -> Bool { runs.contains { $0.values.contains(value) && $0.variation != nil } }

    /// The bucket values with a variation.
    var taken: BucketSet { BucketSet(runs.filter { $0.variation != nil }.map(\.values)) }

    /// The percentage of visitors that belong to the arm at `place`.
    func share(ofArm place: Int) -> Double { percentage { $0.arm == place } }

    /// The percentage of visitors that get a variation.
    var takenShare: Double { percentage { $0.variation != nil } }

    private func percentage(_ isCounted: (Run) -> Bool) -> Double {
        let values = runs.reduce((counted: 0, all: 0)) { sum, run in
            (sum.counted + (isCounted(run) ? run.values.count : 0), sum.all + run.values.count)
        }
        return values.all == 0 ? 0 : 100 * Double(values.counted) / Double(values.all)
    }

    /// Whether no visitor gets a variation.
    var isEmpty: Bool { runs.allSatisfy { $0.variation == nil } }

    /// Whether no bucket value gets the variation at `place`.
    func isUnreachable(_ place: Int) -> Bool { !dealt.contains(place) }
}
