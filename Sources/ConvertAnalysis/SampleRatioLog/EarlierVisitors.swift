/// The visitors of an experience whose variation was stored before the log began, by the arm that the allocation of the
/// line's config gives to their bucket values.
///
/// Before the log began, another allocation may have given a variation to more bucket values of one arm than of another
/// one. Then the newly assigned visitors of the log are too few in the one arm, and those with a stored variation are
/// too many. Both together have the allocated shares, at any time.
///
/// The same numbers result from a log that lacks the lines of first visits in one arm. These visitors appear later,
/// with a stored variation, so that both together do not have the allocated shares at first. A loss does not depend on
/// bucket values, so that stored visitors of an arm are evenly distributed over the arm's bucket values.
struct EarlierVisitors: Sendable {
    /// Two tests can contradict the explanation. Together they err as seldom as one.
    private static let threshold = SampleRatioTest.threshold / 2

    /// The visitors by the number of the config.
    private var visitors = RatioProcesses<Int>()
    private var spreads: [Spread] = []
    /// The earlier visitors and the newly assigned ones, by the day on which the log first has them.
    private var together = FirstAppearances()

    /// The visitors in each part of each arm's bucket values, under one config and allocation.
    private struct Spread: Sendable {
        let config: Int
        let allocation: Int
        let buckets: AllocatedBuckets
        var counts: [[Int]]

        /// The probabilities of counts at least as uneven, for each arm with visitors and each place that divides the
        /// arm's bucket values into lower and upper ones. A rise of the allocation adds upper ones.
        var probabilities: [Double] {
            counts.indices.flatMap { arm in
                let sizes = buckets.partSizes(of: arm)
                return (1..<sizes.count).compactMap { place in
                    let shares = [sizes[..<place].reduce(0, +), sizes[place...].reduce(0, +)]
                    let halves = [counts[arm][..<place].reduce(0, +), counts[arm][place...].reduce(0, +)]
                    return SampleRatioTest(shares: shares)?.result(for: halves)?.p
                }
            }
        }
    }

    /// Adds a visitor with a stored variation.
    ///
    /// - Parameters:
    ///   - decision: the decision in the visitor's first line.
    ///   - buckets: the allocation of the line's config.
    ///   - line: the line.
    ///   - visitorID: the visitor's id; `nil` if a pseudonym replaces it.
    mutating func add(
        _ decision: LogRatioPart.Decision, _ buckets: AllocatedBuckets, _ line: LogRatioPart.Line, visitorID: String?
    ) {
        let place = visitorID.map { buckets.place(ofVisitor: $0) }
        // A bucket value without an arm, or a variation that no longer gets visitors, has no share to compare with.
        guard let arm = place.map({ $0?.arm }) ?? decision.arm, arm < buckets.shares.count, buckets.shares[arm] > 0
        else { return }
        visitors.add(arm, buckets.shares, to: line.config)
        together.add(arm, buckets.shares, allocation: decision.allocation, day: line.day)
        guard let part = place??.part else { return }
        let isSame = { (spread: Spread) in spread.config == line.config && spread.allocation == decision.allocation }
        let index = spreads.firstIndex(where: isSame) ?? spreads.count
        if index == spreads.count {
            let none = Array(repeating: 0, count: AllocatedBuckets.partCount)
            spreads.append(
                Spread(
                    config: line.config, allocation: decision.allocation, buckets: buckets,
                    counts: buckets.shares.map { _ in none }))
        }
        spreads[index].counts[arm][part] += 1
    }

    /// Adds a newly assigned visitor.
    mutating func addAssigned(
        _ decision: LogRatioPart.Decision, _ shares: [Double], _ line: LogRatioPart.Line
    ) {
        together.add(decision.arm, shares, allocation: decision.allocation, day: line.day)
    }

    /// Whether an allocation before the log explains a mismatch of newly assigned visitors; `nil` if there are no
    /// visitors from before the log, or if together with them they do not agree with the allocation.
    ///
    /// - Parameters:
    ///   - assigned: the newly assigned visitors.
    ///   - config: the number of their config; `nil` for the visitors of all configs.
    ///   - recognizesAll: whether no visitor counts twice.
    func explanation(
        of assigned: RatioProcess, config: Int? = nil, recognizesAll: Bool
    ) -> SampleRatioLogReport.EarlierAllocation? {
        let earlier = zip(visitors.names, visitors.processes).filter { config == nil || $0.0 == config }.map(\.1)
        guard !earlier.isEmpty else { return nil }
        let sum = Self.probability(earlier + [assigned])
        if sum < Self.threshold { return nil }
        // A visitor who counts often makes all counts uneven.
        guard recognizesAll else { return .possible }
        if together.p < Self.threshold { return .refuted }
        let spread = spreads.filter { config == nil || $0.config == config }.flatMap(\.probabilities)
        let isUneven = spread.contains { $0 * Double(spread.count) < Self.threshold }
        return isUneven && sum > Self.probability(earlier) ? .evident : .possible
    }

    private static func probability(_ groups: [RatioProcess]) -> Double {
        func sum(_ counts: (RatioProcess) -> [Double]) -> [Double] {
            groups.dropFirst().reduce(groups.first.map(counts) ?? []) { sum, group in zip(sum, counts(group)).map(+) }
        }
        return SampleRatioTest(shares: sum(\.expected))?.result(for: sum(\.observed).map { Int($0) })?.p ?? 0
    }
}

extension SampleRatioLogReport.EarlierAllocation {
    /// The common explanation of several mismatches; `nil` if not all of them have one.
    init?(_ explanations: [Self?]) {
        if explanations.contains(.refuted) {
            self = .refuted
        } else if explanations.isEmpty || explanations.contains(nil) {
            return nil
        } else {
            self = explanations.contains(.possible) ? .possible : .evident
        }
    }
}
