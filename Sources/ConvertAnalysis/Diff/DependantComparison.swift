internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds experiences whose audiences ask about others that change: they are entered by other visitors though nothing of
/// them was edited.
struct DependantComparison {
    let old: EntranceComparison.Side
    let new: EntranceComparison.Side
    let comparison: EntranceComparison
    let budget: AnalysisBudget
    private let memo = Memo()

    init(old: EntranceComparison.Side, new: EntranceComparison.Side, comparison: EntranceComparison) {
        self.old = old
        self.new = new
        self.comparison = comparison
        budget = comparison.search.budget
    }

    /// What was worked out already. A class, because a question changes nothing that its caller sees.
    private final class Memo {
        /// Whether the visitors of experiences change, by the experiences' ids.
        var changes: [PropertyKey: Bool] = [:]
    }

    /// What changes for an experience because of others.
    struct Dependence {
        /// Keys of the experiences that it is changed by, those that it asks about itself first.
        var keys: [String]
        var change: EntranceComparison.Change
        /// Where the visitors who show the change do; `nil` if it is no matter.
        var environments: (enters: String?, leaves: String?) = (nil, nil)
        /// The shares of the visitors who meet its own rules; `nil` if they depend on attributes.
        var shares: AdmissionShares?
    }

    /// What changes from `before` to `after` because of others, together with what `after` changes itself; `nil` if
    /// others change nothing.
    ///
    /// - Parameter own: what the rules of `after` change, whatever others do.
    func dependence(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience,
        itsOwn own: ConfigDifference.AudienceChange
    ) -> Dependence? {
        let first = old.entrances.passage(of: before, later: .none)
        let second = new.entrances.passage(of: after, later: .none)
        let room = (old: old.entrances.room(of: before), new: new.entrances.room(of: after))
        let isExact = first.isExact && second.isExact
        // Where no variation takes visitors, no answer depends on which visitors are let in.
        if isExact && first.formula == second.formula || room.old == .fails && room.new == .fails { return nil }
        let keys = changedKeys(before, after)
        if keys.isEmpty { return nil }
        if !isExact { return Dependence(keys: keys, change: EntranceComparison.Change(change: .undecided)) }
        if new.entrances.passage(of: after, asking: old.entrances, of: before) == second.formula { return nil }
        let isInOnePlace = before.environmentText == after.environmentText
        var shares: AdmissionShares?
        if isInOnePlace, let one = old.entrances.questionPart(of: before, later: .none),
            let other = new.entrances.questionPart(of: after, later: .none)
        {
            shares = AdmissionShares(from: one, to: other, environment: after.environmentName, budget)
        }
        if let shares, shares.entered == 0, shares.left == 0 { return nil }
        var environments: (enters: String?, leaves: String?) = (nil, nil)
        var change = comparison.change(first.formula, second.formula, leaving: room.old, entering: room.new) {
            model, isEntering in
            let environment = environment(of: model, before, after)
            if isEntering { environments.enters = environment } else { environments.leaves = environment }
            return visitor(as: model, in: environment, before, after, isEntering: isEntering)
        }
        // Exact shares say it even where none of the visitors that were tried shows it. They are of the visitors who
        // meet the other rules of both versions, so that they say all only where these are the same.
        if let shares, own == .equivalent {
            let isEntered = shares.entered > 0 && room.new != .fails
            let isLeft = shares.left > 0 && room.old != .fails
            change.change = isEntered ? isLeft ? .changed : .wider : isLeft ? .narrower : .equivalent
        }
        if change.change == .equivalent { return nil }
        return Dependence(keys: keys, change: change, environments: environments, shares: shares)
    }

    /// Where a visitor shows a change; `nil` if all experiences that decide it run everywhere.
    private func environment(
        of model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience
    ) -> String? {
        if let name = model.environment ?? after.environmentName ?? before.environmentName { return name }
        let deciding = old.entrances.decided(for: before) + new.entrances.decided(for: after)
        return deciding.contains { $0.environment != .anywhere } ? EngineTrial.usualEnvironment : nil
    }

    /// A new visitor who gets a variation of one version and is not let into the other by a call for all experiences.
    private func visitor(
        as model: VisitorSearch.Model, in environment: String?, _ before: ProjectConfig.Experience,
        _ after: ProjectConfig.Experience, isEntering: Bool
    ) -> PopulationVisitor? {
        let oldTrial = EngineTrial(old.project, environment: environment)
        let newTrial = EngineTrial(new.project, environment: environment, budget: budget)
        let oldOnes = old.entrances.decided(for: before), newOnes = new.entrances.decided(for: after)
        return newTrial.visitor(as: model) { person in
            let was = oldTrial.lastDecision(of: oldOnes, for: person)
            let now = newTrial.lastDecision(of: newOnes, for: person)
            let (inside, outside) = isEntering ? (now, was) : (was, now)
            return inside?.variation != nil && outside?.reason.map { !$0.isBehindTheGates } ?? false
        }
    }

    /// Keys of the experiences whose visitors change and which `before` or `after` ask about, directly or through
    /// others.
    private func changedKeys(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> [String] {
        var keys: [String] = []
        var seen: Set<PropertyKey> = [after.id.key]
        var pending = questions(before, after)
        var position = 0
        while position < pending.count {
            let question = pending[position]
            position += 1
            guard seen.insert(question.id).inserted else { continue }
            let (first, second) = (
                old.entrances.experience(id: question.id), new.entrances.experience(id: question.id)
            )
            if changes(from: first, to: second, id: question.id) || question.isReordered { keys.append(question.key) }
            if let first = first ?? second, let second = second ?? Optional(first) {
                pending += questions(first, second)
            }
        }
        return keys
    }

    /// Whether other visitors get a variation of an experience.
    private func changes(
        from first: ProjectConfig.Experience?, to second: ProjectConfig.Experience?, id: PropertyKey
    ) -> Bool {
        if let known = memo.changes[id] { return known }
        let was = first.map { old.entrances.entry(of: $0, later: .none) } ?? EntryFormulas.Estimate(formula: .fails)
        let now = second.map { new.entrances.entry(of: $0, later: .none) } ?? EntryFormulas.Estimate(formula: .fails)
        var isChanged = was.formula != now.formula
        if !isChanged, !was.isExact || !now.isExact {
            // What it asks itself is known all the same.
            isChanged =
                first.map(old.entrances.ownPassage) != second.map(new.entrances.ownPassage)
                || first.map(old.entrances.room) != second.map(new.entrances.room)
        }
        memo.changes[id] = isChanged
        return isChanged
    }

    private func questions(
        _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience
    ) -> [(id: PropertyKey, key: String, isReordered: Bool)] {
        let (first, second) = (old.entrances.questions(of: before), new.entrances.questions(of: after))
        var result = second.map { now in
            (
                id: now.id, key: now.key,
                isReordered: first.contains { $0.id == now.id && $0.isDecidedBefore != now.isDecidedBefore }
            )
        }
        for was in first where !result.contains(where: { $0.id == was.id }) {
            result.append((was.id, was.key, false))
        }
        return result
    }
}

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

    /// How many combinations of bucket values are gone through.
    private static let mostCases = 200_000

    /// - Parameters:
    ///   - first: what was asked about others.
    ///   - second: what is asked about others.
    ///   - environment: where the experience runs; `nil` is everywhere.
    ///   - budget: what going through the combinations is taken from.
    /// - Returns: `nil` if something else than bucket values decides, or there are too many combinations of them.
    ///
    /// Visitors are hashed with each experience's id, so that the values of different experiences are independent.
    init?(from first: Formula, to second: Formula, environment: String?, _ budget: AnalysisBudget) {
        var sets: [String: Set<BucketSet>] = [:]
        for formula in [first, second] {
            guard formula.collect(into: &sets, environment: environment) else { return nil }
        }
        let subjects = sets.map { id, sets in (id: id, cells: Self.cells(of: sets)) }
        var count = 1
        for subject in subjects {
            count *= subject.cells.count
            if count > Self.mostCases { return nil }
        }
        let work = count * (first.literalCount + second.literalCount)
        if work > budget.transitions { return nil }
        budget.spend(work)
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
            let (was, now) = (
                first.holds(for: values, environment: environment), second.holds(for: values, environment: environment)
            )
            if was { before += share }
            if now { after += share }
            if now, !was { entered += share }
            if was, !now { left += share }
        }
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
            case .environment(let name): return (name == environment) == literal.isWanted
            case .condition, .storedDecision, .customSegment: return false
            }
        }
    }
}
