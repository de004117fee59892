internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The shares of visitors that an experience lets in before and after, if only bucket values of other experiences
/// decide.
struct AdmissionShares {
    /// The share that the old version lets in.
    private(set) var before = 0.0
    /// The share that the new version lets in.
    private(set) var after = 0.0
    /// The share that only the new version lets in.
    private(set) var entered = 0.0
    /// The share that only the old version lets in.
    private(set) var left = 0.0

    /// Whether the two versions let in different visitors.
    var isChanged: Bool { entered > 0 || left > 0 }

    /// The maximum number of combinations of bucket values to try.
    private static let mostCases = 200_000

    /// - Parameters:
    ///   - first: the old questions about other experiences.
    ///   - second: the new questions about other experiences.
    ///   - condition: the condition that all counted visitors meet.
    ///   - environment: the environment that the experience runs in; `nil` stands for all.
    ///   - budget: the budget that pays for trying the combinations.
    /// - Returns: `nil` if anything besides bucket values decides, or if there are too many combinations.
    ///
    /// Visitors are hashed with each experience's id, so the values of different experiences are independent.
    init?(
        from first: Formula, to second: Formula, of condition: Formula = .holds, environment: String?,
        _ budget: AnalysisBudget
    ) {
        guard let sets = Formula.bucketSets(of: [first, second, condition], environment: environment) else {
            return nil
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

    /// One bucket value of each part that the sets cut the values into, with the part's number of values.
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
    /// The sets of bucket values in the formulas, by the experiences' ids; `nil` if a formula contains anything else.
    /// An environment is allowed if the call's environment is known.
    fileprivate static func bucketSets(of formulas: [Formula], environment: String?) -> [String: Set<BucketSet>]? {
        var sets: [String: Set<BucketSet>] = [:]
        for literal in formulas.lazy.flatMap(\.literals) {
            switch literal.proposition {
            case .bucket(let id, let values): sets[id, default: []].insert(values)
            case .environment where environment != nil: break
            case .environment, .condition, .storedDecision, .customSegment: return nil
            }
        }
        return sets
    }

    fileprivate func holds(for values: [String: Int], environment: String?) -> Bool {
        let environment = environment.map { PropertyKey($0) }
        return holds { proposition in
            switch proposition {
            case .bucket(let id, let set): values[id].map(set.contains) ?? false
            case .environment(let name): name == environment
            case .condition, .storedDecision, .customSegment: false
            }
        }
    }
}
