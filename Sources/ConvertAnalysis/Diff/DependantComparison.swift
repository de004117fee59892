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
        /// Whether the change is also of what the experience edits itself.
        var hasOwnEdits = false
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
        let first = old.entrances.passage(of: before, stored: .none)
        let second = new.entrances.passage(of: after, stored: .none)
        let room = (old: old.entrances.room(of: before), new: new.entrances.room(of: after))
        let isExact = first.isExact && second.isExact
        // Where no variation takes visitors, no answer depends on which visitors are let in.
        if isExact && first.formula == second.formula || room.old == .fails && room.new == .fails { return nil }
        let keys = changedKeys(before, after)
        if keys.isEmpty { return nil }
        if !isExact { return Dependence(keys: keys, change: EntranceComparison.Change(change: .undecided)) }
        if new.entrances.passage(of: after, asking: old.entrances, of: before, stored: .none) == second.formula {
            return nil
        }
        let isInOnePlace = before.environmentText == after.environmentText
        var shares: AdmissionShares?
        if isInOnePlace, let one = old.entrances.questionPart(of: before, stored: .none),
            let other = new.entrances.questionPart(of: after, stored: .none)
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

    /// What `change` is because of others, which is what visitors show whose decisions for them are stored.
    func dependence(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience,
        showing change: EntranceComparison.Change
    ) -> Dependence? {
        let keys = changedKeys(before, after)
        return keys.isEmpty ? nil : Dependence(keys: keys, change: change)
    }

    /// What changes because of others for visitors whose decision for `before` a first call for all experiences stored,
    /// at a second one; `nil` if others change nothing, or it could not be worked out.
    ///
    /// The variations must have the ids that they had.
    func storedDependence(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience
    ) -> (change: EntranceComparison.Change, shares: AdmissionShares?)? {
        let entry = old.entrances.entry(of: before, stored: .none)
        let first = old.entrances.passage(of: before, stored: .ofFirstCall, isBucketed: true)
        let second = new.entrances.passage(of: after, stored: .ofFirstCall, isBucketed: true)
        guard entry.isExact, first.isExact, second.isExact, first.formula != second.formula else { return nil }
        let asking = new.entrances.passage(
            of: after, asking: old.entrances, of: before, stored: .ofFirstCall, isBucketed: true)
        if asking == second.formula { return nil }
        var shares: AdmissionShares?
        if before.environmentText == after.environmentText,
            let part = old.entrances.questionPart(of: before, stored: .none),
            let one = old.entrances.questionPart(of: before, stored: .ofFirstCall, isBucketed: true),
            let other = new.entrances.questionPart(of: after, stored: .ofFirstCall, isBucketed: true)
        {
            shares = AdmissionShares(
                from: one, to: other, of: part && old.entrances.room(of: before),
                environment: after.environmentName, budget)
        }
        if let shares, shares.entered == 0, shares.left == 0 { return nil }
        let change = comparison.change(
            first.formula, second.formula, leaving: entry.formula, entering: entry.formula
        ) { model, isEntering in
            returningVisitor(as: model, before, after, isEntering: isEntering)
        }
        return change.change == .equivalent ? nil : (change, shares)
    }

    /// A visitor with the decisions of a first call by the old config, whom a second one lets in by one config only.
    private func returningVisitor(
        as model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
        isEntering: Bool
    ) -> PopulationVisitor? {
        let environment = environment(of: model, before, after)
        let oldTrial = EngineTrial(old.project, environment: environment)
        let newTrial = EngineTrial(new.project, environment: environment, budget: budget)
        let firstOnes = old.entrances.decided(for: before, isFirstOfTwo: true)
        let oldOnes = old.entrances.decided(for: before), newOnes = new.entrances.decided(for: after)
        var found: PopulationVisitor?
        _ = newTrial.visitor(as: model) { person in
            var person = person
            person.stored = oldTrial.decide(firstOnes, for: person).state
            guard person.stored.bucketing?[before.id.key]?.isTruthy ?? false else { return false }
            let was = oldTrial.decide(oldOnes, for: person).last?.variation != nil
            let now = newTrial.decide(newOnes, for: person).last?.variation != nil
            if was == !isEntering, now == isEntering { found = person }
            return found != nil
        }
        return found
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
            let was = oldTrial.decide(oldOnes, for: person).last
            let now = newTrial.decide(newOnes, for: person).last
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
            let isChanged = changes(from: first, to: second, id: question.id)
            if isChanged || question.isReordered || question.isRenamed {
                let key = (second ?? first)?.key ?? question.key
                if !keys.contains(key) { keys.append(key) }
            }
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
        let was = first.map { old.entrances.entry(of: $0, stored: .none) } ?? EntryFormulas.Estimate(formula: .fails)
        let now = second.map { new.entrances.entry(of: $0, stored: .none) } ?? EntryFormulas.Estimate(formula: .fails)
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
    ) -> [(id: PropertyKey, key: String, isReordered: Bool, isRenamed: Bool)] {
        let (first, second) = (old.entrances.questions(of: before), new.entrances.questions(of: after))
        var result = second.map { now in
            (
                id: now.id, key: now.key,
                isReordered: first.contains { $0.id == now.id && $0.isDecidedBefore != now.isDecidedBefore },
                isRenamed: isRenamed(now)
            )
        }
        for was in first where !result.contains(where: { $0.id == was.id }) {
            result.append((was.id, was.key, false, isRenamed(was)))
        }
        return result
    }

    /// Whether the key that is asked about is that of another experience than before, or of none.
    private func isRenamed(_ question: ExperienceQuestion) -> Bool {
        old.entrances.experienceID(forKey: question.key) != new.entrances.experienceID(forKey: question.key)
    }
}
