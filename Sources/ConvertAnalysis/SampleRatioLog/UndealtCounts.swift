internal import ConvertECMAScript

/// The numbers of visitors without a variation, by day, value of the attribute and experience.
///
/// A visitor counts once a day, by the first line of the day. Further lines of the visitor repeat the same facts, and
/// would make a change seem more certain than it is. If there are too many visitors to remember them all, only a random
/// part of them counts from then on. Counting the remembered ones alone would change the rates: most of these visitors
/// came early, and come often.
struct UndealtCounts: Sendable {
    /// The maximum numbers of distinct days, and of distinct values of the attribute.
    private static let mostDays = 4_000
    private static let mostSegments = 1_000
    /// The maximum number of counters.
    private static let mostCounters = 8_000_000

    private let width: Int
    private var days = Places()
    private var segments = Places()
    /// For each day, two counters for each value and experience: all visitors, and visitors without a variation.
    private var counters: [[UInt32]] = []
    private var counterCount = 0
    private var seen: KnownVisitors
    /// A visitor counts if the hash of the id begins with this number of zero bits.
    private var sampleBits = 0

    /// Numbers for names, in the order of their first use.
    private struct Places: Sendable {
        private(set) var names: [String] = []
        private var places: [String: Int] = [:]
        private var last = 0

        mutating func place(of name: String, limit: Int) -> Int? {
            if last < names.count, names[last] == name { return last }
            if let known = places[name] {
                last = known
                return known
            }
            guard names.count < limit else { return nil }
            last = names.count
            places[name] = last
            names.append(name)
            return last
        }
    }

    /// Creates counts for a number of experiences.
    ///
    /// - Parameters:
    ///   - experiences: the number of experiences.
    ///   - limit: the maximum number of visitors in memory; `nil` for the usual one.
    init(experiences: Int, limit: Int? = nil) {
        width = experiences
        seen = KnownVisitors(experiences: 1, limit: limit ?? 3_000_000)
    }

    /// Adds a line with its decisions.
    mutating func add(_ line: LogRatioPart.Line, _ decisions: ArraySlice<LogRatioPart.Decision>) {
        // An answer about features does not exclude a variation that it does not name.
        guard let first = decisions.first(where: { !$0.isOfFeature }),
            let day = days.place(of: line.day, limit: Self.mostDays),
            // Calls for other experiences count separately.
            counts(line.visitor &+ UInt64(first.experience) &* Self.factor, on: day),
            let segment = segments.place(of: line.segment, limit: Self.mostSegments)
                ?? segments.place(of: "(other)", limit: Self.mostSegments + 1),
            makeRoom(day, segment)
        else { return }
        Self.count(decisions, from: 2 * segment * width, in: &counters[day])
    }

    /// Whether only a random part of the visitors counts.
    var isSample: Bool { sampleBits > 0 }

    /// An odd number without a pattern, which mixes the bits of hashes.
    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15

    private static func isInSample(_ visitor: UInt64, bits: Int) -> Bool {
        (visitor &* factor) >> UInt64(64 - bits) == 0
    }

    /// Whether a visitor counts in a line of this day. Records that the visitor came.
    private mutating func counts(_ visitor: UInt64, on day: Int) -> Bool {
        let mark = KnownVisitors.Mark(first: 0, second: day)
        guard Self.isInSample(visitor, bits: sampleBits) else { return false }
        var last = seen.update(mark, of: visitor, in: 0)
        while seen.isFull {
            guard sampleBits < 32 else { return false }
            halveSample(on: day)
            guard Self.isInSample(visitor, bits: sampleBits) else { return false }
            last = seen.update(mark, of: visitor, in: 0)
        }
        return last?.second != day
    }

    /// Forgets half of the visitors. The earlier visitors of the day count half, as the later ones do.
    private mutating func halveSample(on day: Int) {
        sampleBits += 1
        let bits = sampleBits
        seen.forget { Self.isInSample($0, bits: bits) }
        guard day < counters.count else { return }
        for place in counters[day].indices { counters[day][place] /= 2 }
    }

    /// Counts the decisions of a line in a day's counters, whose first one for the line's value is at `start`.
    private static func count(
        _ decisions: ArraySlice<LogRatioPart.Decision>, from start: Int, in counters: inout [UInt32]
    ) {
        for decision in decisions where !decision.isOfFeature {
            let isUndealt: Bool
            switch decision.outcome {
            case .none, .ineligible: isUndealt = true
            case .dealt, .stored, .unallocated, .unknown: isUndealt = false
            case .forced, .untold: continue
            }
            let place = start + 2 * decision.experience
            counters[place] += 1
            if isUndealt { counters[place + 1] += 1 }
        }
    }

    private mutating func makeRoom(_ day: Int, _ segment: Int) -> Bool {
        if day == counters.count { counters.append([]) }
        let missing = 2 * (segment + 1) * width - counters[day].count
        guard missing > 0 else { return true }
        guard counterCount + missing <= Self.mostCounters else { return false }
        counterCount += missing
        counters[day].append(contentsOf: repeatElement(0, count: missing))
        return true
    }

    /// The rates of an experience. If `hasSegments`, the rates of each value are included.
    func rate(of experience: Int, _ name: String, hasSegments: Bool) -> SampleRatioLogReport.Rate {
        typealias Rate = SampleRatioLogReport.Rate
        let order = counters.indices.sorted { days.names[$0] < days.names[$1] }
        func rate(_ name: String, _ wanted: Range<Int>) -> Rate {
            let days = order.map { day -> Rate in
                var rate = Rate(name: self.days.names[day])
                for segment in wanted {
                    let place = 2 * (segment * width + experience)
                    guard place < counters[day].count else { break }
                    rate.visitors += Int(counters[day][place])
                    rate.undealt += Int(counters[day][place + 1])
                }
                return rate
            }
            return Rate(
                name: name, visitors: days.reduce(0) { $0 + $1.visitors }, undealt: days.reduce(0) { $0 + $1.undealt },
                // Lines without a time count for no day.
                days: days.filter { !$0.name.isEmpty })
        }
        var whole = rate(name, segments.names.indices)
        if hasSegments {
            whole.segments = segments.names.indices.map { rate(segments.names[$0], $0..<$0 + 1) }
                .filter { $0.visitors > 0 }
        }
        // Each needs more evidence, so that all of them together err as seldom as one.
        let tests = Double(whole.segments.count + 1)
        for index in whole.segments.indices {
            let segment = whole.segments[index]
            whole.segments[index].change = RateChange.find(segment.days, among: whole.days, times: tests)
            whole.segments[index].days.removeAll { $0.visitors == 0 }
        }
        whole.segments.sort { ($1.visitors, $0.name) < ($0.visitors, $1.name) }
        whole.change = RateChange.find(whole.days, among: whole.days, times: tests)
        return whole
    }
}
