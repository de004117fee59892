/// The visitors of an experience whose variation was stored before the log began, by the arm that the allocation of the
/// line's config gives to their bucket values.
///
/// Before the log began, another allocation may have given a variation to more bucket values of one arm than of another
/// one. Then the newly assigned visitors of the log are too few in the one arm, and those with a stored variation are
/// too many. Both together have the allocated shares.
struct EarlierVisitors: Sendable {
    /// The visitors by the number of the config.
    private var visitors = RatioProcesses<Int>()

    /// Adds a visitor in a line whose config allocates `shares`; `arm` is `nil` for a bucket value without an arm.
    mutating func add(_ arm: Int?, _ shares: [Double], config: Int) {
        // A variation that no longer gets visitors has no share to compare with.
        guard let arm, arm < shares.count, shares[arm] > 0 else { return }
        visitors.add(arm, shares, to: config)
    }

    /// Whether an allocation before the log explains a mismatch of newly assigned visitors: together with the visitors
    /// from before the log they agree with the allocation, and they agree better than those visitors alone.
    ///
    /// - Parameters:
    ///   - assigned: the newly assigned visitors.
    ///   - config: the number of their config; `nil` for the visitors of all configs.
    func explain(_ assigned: RatioProcess, of config: Int? = nil) -> Bool {
        let earlier = zip(visitors.names, visitors.processes).filter { config == nil || $0.0 == config }.map(\.1)
        guard !earlier.isEmpty else { return false }
        let together = Self.probability(earlier + [assigned])
        return together >= SampleRatioTest.threshold && together > Self.probability(earlier)
    }

    private static func probability(_ groups: [RatioProcess]) -> Double {
        func sum(_ counts: (RatioProcess) -> [Double]) -> [Double] {
            groups.dropFirst().reduce(groups.first.map(counts) ?? []) { sum, group in zip(sum, counts(group)).map(+) }
        }
        return SampleRatioTest(shares: sum(\.expected))?.result(for: sum(\.observed).map { Int($0) })?.p ?? 0
    }
}
