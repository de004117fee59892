/// The visitors of an experience who have a variation, newly assigned or stored, by the allocation and the day of the
/// first line that has them.
///
/// They have the allocated shares on every day, whichever allocation was in force before the log, and however many
/// visitors of that time return on a day: of all visitors of that time, the bucket values are evenly distributed.
struct FirstAppearances: Sendable {
    /// The maximum number of distinct days. Visitors of later days are added to the last one.
    private static let mostDays = 4_000

    /// The visitors under one allocation.
    private struct Group: Sendable {
        let allocation: Int
        let shares: [Double]
        private var days: [(name: String, counts: [Int])] = []
        private var places: [String: Int] = [:]
        private var last = 0

        init(_ allocation: Int, _ shares: [Double]) {
            self.allocation = allocation
            self.shares = shares
        }

        mutating func add(_ arm: Int, day: String) {
            if days.isEmpty || days[last].name != day { last = place(of: day) }
            days[last].counts[arm] += 1
        }

        private mutating func place(of day: String) -> Int {
            if let known = places[day] { return known }
            guard days.count < FirstAppearances.mostDays else { return days.count - 1 }
            days.append((day, shares.map { _ in 0 }))
            places[day] = days.count - 1
            return days.count - 1
        }

        /// The largest evidence against the shares up to the end of any day: the mean of the evidence in all visitors
        /// so far, and of the evidence in each day alone. The n-th day has the weight 1/(n(n+1)). If the shares are
        /// right, it exceeds 1/α with a chance of at most α, by Ville's inequality (1939).
        var evidence: Double {
            guard let test = SampleRatioTest(shares: shares) else { return 0 }
            // The probability of a sequential test is at most 1, so evidence below 1 counts as 0.
            func evidence(_ counts: [Int]) -> Double {
                let p = test.result(for: counts, isSequential: true)?.p ?? 1
                return p < 1 ? 1 / p : 0
            }
            var (largest, single, sum) = (0.0, 0.0, shares.map { _ in 0 })
            for (place, day) in days.sorted(by: { $0.name < $1.name }).enumerated() {
                for arm in sum.indices { sum[arm] += day.counts[arm] }
                single += evidence(day.counts) / Double((place + 1) * (place + 2))
                largest = max(largest, (evidence(sum) + single) / 2)
            }
            return largest
        }
    }

    /// The groups, in the order of their first visitors.
    private var groups: [Group] = []
    private var last = 0

    /// Adds a visitor with the variation `arm` under the allocation with this number and these shares.
    mutating func add(_ arm: Int, _ shares: [Double], allocation: Int, day: String) {
        if groups.isEmpty || groups[last].allocation != allocation {
            last = groups.firstIndex { $0.allocation == allocation } ?? groups.count
            if last == groups.count { groups.append(Group(allocation, shares)) }
        }
        groups[last].add(arm, day: day)
    }

    /// The probability of ever seeing as much evidence against the shares if they are right, on all days.
    var p: Double {
        // The weights of the allocations sum to 1.
        groups.enumerated().reduce(1) { p, group in
            min(p, Double((group.offset + 1) * (group.offset + 2)) / group.element.evidence)
        }
    }
}
