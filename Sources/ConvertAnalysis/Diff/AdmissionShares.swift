internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which shares of visitors an experience lets in before and after, where only bucket values of others decide.
struct AdmissionShares {
    /// The share that is let in before.
    private(set) var before = 0.0
    /// The share that is let in after.
    private(set) var after = 0.0
    /// The share that is let in after and was not.
    private(set) var entered = 0.0
    /// The share that was let in and is not.
    private(set) var left = 0.0

    /// Whether other visitors are let in.
    var isChanged: Bool { entered > 0 || left > 0 }

    /// How many combinations of bucket values are gone through.
    private static let mostCases = 200_000

    /// - Parameters:
    ///   - first: what was asked about others.
    ///   - second: what is asked about others.
    ///   - condition: what the visitors meet of whom these are shares.
    ///   - environment: where the experience runs; `nil` is everywhere.
    ///   - budget: what going through the combinations is taken from.
    /// - Returns: `nil` if something else than bucket values decides, or there are too many combinations of them.
    ///
    /// Visitors are hashed with each experience's id, so that the values of different experiences are independent.
    init?(
        from first: Formula, to second: Formula, of condition: Formula = .holds, environment: String?,
        _ budget: AnalysisBudget
    ) {
        var sets: [String: Set<BucketSet>] = [:]
        for formula in [first, second, condition] {
            guard formula.collect(into: &sets, environment: environment) else { return nil }
        }
        let subjects = sets.map { id, sets in (id: id, cells: Self.cells(of: sets)) }
        var count = 1
        for subject in subjects {
            count *= subject.cells.count
            if count > Self.mostCases { return nil }
        }
        let work = count * (first.literalCount + second.literalCount + condition.literalCount)
        if work > budget.transitions { return nil }
        budget.spend(work)
        var total = 0.0
        for number in 0..<count {
            var rest = number
            var share = 1.0
            var values: [String: Int] = [:]
            for subject in subjects {
                let cell = subject.cells[rest % subject.cells.count]
                rest /= subject.cells.count
                share *= Double(cell.count) / Double(BucketRuns.count)
                values[subject.id] = cell.value
            }
            guard condition.holds(for: values, environment: environment) else { continue }
            total += share
            let (was, now) = (
                first.holds(for: values, environment: environment), second.holds(for: values, environment: environment)
            )
            if was { before += share }
            if now { after += share }
            if now, !was { entered += share }
            if was, !now { left += share }
        }
        guard condition != .holds else { return }
        if total == 0 { return nil }
        for path in [\Self.before, \.after, \.entered, \.left] { self[keyPath: path] /= total }
    }

    /// A bucket value of each part that the sets cut the values into, and how many it has.
    private static func cells(of sets: Set<BucketSet>) -> [(value: Int, count: Int)] {
        let edges = Set(sets.flatMap { $0.ranges.flatMap { [$0.lowerBound, $0.upperBound] } } + [0, BucketRuns.count])
        let sorted = edges.sorted()
        var cells: [[Bool]: (value: Int, count: Int)] = [:]
        let order = Array(sets)
        for (start, end) in zip(sorted, sorted.dropFirst()) {
            let signature = order.map { $0.contains(start) }
            cells[signature] = (cells[signature]?.value ?? start, (cells[signature]?.count ?? 0) + end - start)
        }
        return Array(cells.values)
    }
}

extension Formula {
    /// Collects the sets of bucket values that it asks for, by experiences' ids; returns whether it asks for nothing
    /// else.
    fileprivate func collect(into sets: inout [String: Set<BucketSet>], environment: String?) -> Bool {
        switch self {
        case .all(let parts), .any(let parts):
            return parts.allSatisfy { $0.collect(into: &sets, environment: environment) }
        case .literal(let literal):
            switch literal.proposition {
            case .bucket(let id, let values):
                sets[id, default: []].insert(values)
                return true
            case .environment: return environment != nil
            case .condition, .storedDecision, .customSegment: return false
            }
        }
    }

    fileprivate func holds(for values: [String: Int], environment: String?) -> Bool {
        switch self {
        case .all(let parts): return parts.allSatisfy { $0.holds(for: values, environment: environment) }
        case .any(let parts): return parts.contains { $0.holds(for: values, environment: environment) }
        case .literal(let literal):
            switch literal.proposition {
            case .bucket(let id, let set): return (values[id].map(set.contains) ?? false) == literal.isWanted
            case .environment(let name): return (name == environment.map { PropertyKey($0) }) == literal.isWanted
            case .condition, .storedDecision, .customSegment: return false
            }
        }
    }
}
