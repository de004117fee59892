internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds experiences whose visitors change, although the experiences were not edited, because their audiences ask about
/// other experiences that change.
struct DependantComparison: EntranceComparing {
    let entrances: EntranceComparison
    private let memo = Memo()
    /// The numbers of both configs' experiences, by their ids.
    private let places: [PropertyKey: Int]

    init(_ entrances: EntranceComparison) {
        self.entrances = entrances
        var places: [PropertyKey: Int] = [:]
        for experience in entrances.old.project.config.experiences + entrances.new.project.config.experiences
        where places[experience.id.key] == nil {
            places[experience.id.key] = places.count
        }
        self.places = places
    }

    /// Results of earlier questions. A class, because remembering a result is no change for the caller.
    private final class Memo {
        /// Whether an experience's visitors change, by the experience's id.
        var changes: [PropertyKey: Bool] = [:]
        /// The questions of an experience about others, by the experience's id.
        var links: [PropertyKey: Links] = [:]
    }

    /// A question of an experience about another one, in the old or the new config.
    private struct Link {
        let id: PropertyKey
        /// The number of the other experience.
        let place: Int
        let key: String
        let isReordered: Bool
        let isRenamed: Bool
    }

    private struct Links {
        var all: [Link]
        /// The numbers of the other experiences.
        var targets: PlaceSet
    }

    /// The change of an experience because of others.
    struct Dependence {
        /// Keys of the experiences that cause the change, the directly asked ones first.
        var keys: [String]
        /// The change for visitors without a stored decision for this experience or, from `storedDependence`, for
        /// visitors with one. Other experiences may have any stored decision.
        var change = EntranceComparison.Change()
        /// The part of the change that affects new visitors, for whom nothing is stored.
        var newVisitors = ConfigDifference.AudienceChange.equivalent
        /// Whether edits of the experience itself contribute to the change.
        var hasOwnEdits = false
        /// The shares of the new visitors who meet the experience's own rules; `nil` if the shares depend on
        /// attributes.
        var shares: AdmissionShares?
    }

    /// The change from `before` to `after` because of others, together with the edits of `after`; `nil` if others
    /// change nothing.
    ///
    /// - Parameter own: the change by the rules of `after` alone.
    func dependence(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience,
        itsOwn own: ConfigDifference.AudienceChange
    ) -> Dependence? {
        let room = (old: old.entrances.room(of: before), new: new.entrances.room(of: after))
        // If no variation takes visitors, it does not matter which visitors are let in.
        let isClosed = room.old == .fails && room.new == .fails
        let versions = Versions(self, before, after, stored: .any)
        if versions.isExact && (isClosed || versions.areSame) { return nil }
        let keys = changedKeys(before, after)
        if keys.isEmpty || versions.isExact && versions.isOnlyEdited { return nil }
        var result = Dependence(keys: keys)
        func add(_ versions: Versions, _ condition: Formula = .holds) {
            guard versions.isExact else {
                return result.change = result.change.combined(with: EntranceComparison.Change(change: .undecided))
            }
            let found = entrances.change(
                versions.old.formula, versions.new.formula, leaving: room.old && condition,
                entering: room.new && condition
            ) { model, isEntering in
                visitor(as: model, before, after, isEntering: isEntering, losesOwn: true)
            }
            result.change = result.change.combined(with: found)
        }
        let newOnes = Versions(self, before, after, stored: .none)
        if !newOnes.isExact || !newOnes.areSame && !newOnes.isOnlyEdited {
            let shares =
                before.hasSameEnvironment(as: after)
                ? shares(from: before, to: after, in: after.environmentName) : nil
            if shares?.isChanged ?? true { add(newOnes) }
            // Exact shares prove the change even if none of the tried visitors shows it. They count visitors who meet
            // the other rules of both versions, so they are complete only if these rules are the same.
            if let shares, own == .equivalent {
                let isEntered = shares.entered > 0 && room.new != .fails
                let isLeft = shares.left > 0 && room.old != .fails
                result.change.change = isEntered ? isLeft ? .changed : .wider : isLeft ? .narrower : .equivalent
            }
            result.newVisitors = result.change.change
            if result.newVisitors != .equivalent { result.shares = shares }
        }
        if result.newVisitors != .changed, result.newVisitors != .undecided {
            let isStored = old.entrances.storedDecision(before.id.text)
            add(versions, isStored.negated)
            // Other experiences may ask about a stored decision for a variation that neither config has.
            if result.change.change != .changed, result.change.change != .undecided,
                [versions.old, versions.new].contains(where: { $0.formula.mentions(isStored) })
            {
                add(versions, isStored)
            }
        }
        return result.change.change == .equivalent ? nil : result
    }

    /// The change that others make to the visitors of an added experience; `nil` if it asks about no other experience.
    func dependence(ofAdded after: ProjectConfig.Experience) -> Dependence? {
        let questions = new.entrances.graph.questions(of: after)
        if questions.isEmpty { return nil }
        var result = Dependence(keys: questions.map(\.key))
        let room = new.entrances.room(of: after)
        let own = new.entrances.passage(of: after, stored: .none), any = new.entrances.passage(of: after, stored: .any)
        func change(_ passage: EntryFormulas.Estimate) -> EntranceComparison.Change {
            guard passage.isExact else { return EntranceComparison.Change(change: .undecided) }
            return entrances.change(.fails, passage.formula, entering: room) { model, _ in
                visitor(as: model, entering: after)
            }
        }
        result.change = change(own)
        result.newVisitors = result.change.change
        result.shares = new.entrances.questionPart(of: after, stored: .none).flatMap {
            AdmissionShares(from: .fails, to: $0, environment: after.environmentName, budget)
        }
        if result.newVisitors == .equivalent { result.change = change(any) }
        return result
    }

    /// A visitor who gets a variation of an added experience.
    private func visitor(
        as model: VisitorSearch.Model, entering after: ProjectConfig.Experience
    ) -> EntranceComparison.Example? {
        let environment = environment(of: model, after, after)
        let trial = EngineTrial(new.project, environment: environment)
        let deciding = new.entrances.graph.decided(for: after)
        var found: PopulationVisitor?
        // Stored variations come from the old config.
        _ = EngineTrial(old.project, environment: environment, budget: budget).visitor(as: model) { person in
            if trial.decide(deciding, for: person).last?.variation != nil { found = person }
            return found != nil
        }
        return EntranceComparison.Example(found, in: environment)
    }

    /// New visitors whom edits of the experience itself newly let in or keep out, in a call for all experiences.
    func examples(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience
    ) -> EntranceComparison.Change {
        let versions = Versions(self, before, after, stored: .none)
        guard versions.isExact, !versions.areSame else { return EntranceComparison.Change() }
        return entrances.change(
            versions.old.formula, versions.new.formula, leaving: old.entrances.room(of: before),
            entering: new.entrances.room(of: after)
        ) { model, isEntering in
            visitor(as: model, before, after, isEntering: isEntering)
        }
    }

    /// The conditions of both versions of an experience.
    private struct Versions {
        let old: EntryFormulas.Estimate
        let new: EntryFormulas.Estimate
        /// The condition of the new version with the old config's other experiences.
        let edited: Formula

        init(
            _ dependants: DependantComparison, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
            stored: EntryFormulas.StoredDecisions, isBucketed: Bool = false
        ) {
            let (first, second) = (dependants.old.entrances, dependants.new.entrances)
            old = first.passage(of: before, stored: stored, isBucketed: isBucketed)
            new = second.passage(of: after, stored: stored, isBucketed: isBucketed)
            edited = second.passage(of: after, asking: first, of: before, stored: stored, isBucketed: isBucketed)
        }

        var isExact: Bool { old.isExact && new.isExact }
        var areSame: Bool { old.formula == new.formula }
        /// Whether other experiences change nothing.
        var isOnlyEdited: Bool { edited == new.formula }
        /// Whether it is proven that other experiences change something.
        var areChangedByOthers: Bool { isExact && !areSame && !isOnlyEdited }
    }

    /// The change because of others for visitors with a stored decision for `before`; `nil` if it is not proven that
    /// others change something. The change covers all visitors, whatever is stored for other experiences. The shares
    /// cover visitors whose stored decisions come from one earlier call with the old config.
    ///
    /// The variations must have kept their ids.
    func storedDependence(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience
    ) -> (dependence: Dependence, shares: AdmissionShares?)? {
        let versions = Versions(self, before, after, stored: .any, isBucketed: true)
        guard versions.areChangedByOthers else { return nil }
        var change = EntranceComparison.Change()
        var shares: AdmissionShares?
        let again = Versions(self, before, after, stored: .ofFirstCall, isBucketed: true)
        let entry = old.entrances.entry(of: before, stored: .none)
        if entry.isExact, again.areChangedByOthers {
            if before.hasSameEnvironment(as: after),
                let part = old.entrances.questionPart(of: before, stored: .none),
                let one = old.entrances.questionPart(of: before, stored: .ofFirstCall, isBucketed: true),
                let other = new.entrances.questionPart(of: after, stored: .ofFirstCall, isBucketed: true)
            {
                shares = AdmissionShares(
                    from: one, to: other, of: part && old.entrances.room(of: before),
                    environment: after.environmentName, budget)
            }
            if shares?.isChanged ?? true {
                change = entrances.change(
                    again.old.formula, again.new.formula, leaving: entry.formula, entering: entry.formula
                ) { model, isEntering in
                    returningVisitor(as: model, before, after, isEntering: isEntering)
                }
            }
        }
        let stored = old.entrances.storedDecision(before.id.text)
        let others = entrances.change(versions.old.formula, versions.new.formula, leaving: stored, entering: stored) {
            model, isEntering in
            visitor(as: model, before, after, isEntering: isEntering)
        }
        change = change.combined(with: others)
        let keys = changedKeys(before, after)
        return keys.isEmpty || change.change == .equivalent ? nil : (Dependence(keys: keys, change: change), shares)
    }

    /// The share of visitors with a stored decision for `before` whom the questions about others let in, in the call
    /// after a first call with the old config. `nil` if the questions let in all of them, if the new version asks
    /// something else, with or without the stored decision, or if attributes decide too.
    func storedAdmission(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience
    ) -> AdmissionShares? {
        guard before.hasSameEnvironment(as: after),
            let part = old.entrances.questionPart(of: before, stored: .none),
            let again = old.entrances.questionPart(of: before, stored: .ofFirstCall, isBucketed: true), again != .holds
        else { return nil }
        let isSame = [false, true].allSatisfy {
            new.entrances.questionPart(of: after, stored: .ofFirstCall, isBucketed: $0) == again
        }
        guard isSame else { return nil }
        return AdmissionShares(
            from: again, to: again, of: part && old.entrances.room(of: before), environment: after.environmentName,
            budget)
    }

    /// A visitor with stored decisions from a first call with the old config, whom a second call lets in with only one
    /// of the configs.
    private func returningVisitor(
        as model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
        isEntering: Bool
    ) -> EntranceComparison.Example? {
        let environment = environment(of: model, before, after)
        let oldTrial = EngineTrial(old.project, environment: environment)
        let newTrial = EngineTrial(new.project, environment: environment, budget: budget)
        let firstOnes = old.entrances.graph.decided(for: before, isFirstOfTwo: true)
        let oldOnes = old.entrances.graph.decided(for: before), newOnes = new.entrances.graph.decided(for: after)
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
        return EntranceComparison.Example(found, in: environment)
    }

    /// The environment in which a visitor shows a change; `nil` if all experiences involved run in every environment.
    private func environment(
        of model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience
    ) -> String? {
        let names = [after.environmentName, before.environmentName].compactMap(\.self)
        func isAllowed(_ name: String) -> Bool { !model.excludedEnvironments.contains(PropertyKey(name)) }
        if let name = model.environment ?? names.first(where: isAllowed) { return name }
        let deciding = old.entrances.graph.decided(for: before) + new.entrances.graph.decided(for: after)
        let matters = !names.isEmpty || deciding.contains { $0.environment != .anywhere }
        return matters ? entrances.environments.first(where: isAllowed) ?? EngineTrial.usualEnvironment : nil
    }

    /// A visitor who gets a variation of one version and whom a call for all experiences does not let into the other
    /// version.
    ///
    /// - Parameter losesOwn: whether the stored decision for the experience names a variation that the experience no
    ///   longer has.
    private func visitor(
        as model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
        isEntering: Bool, losesOwn: Bool = false
    ) -> EntranceComparison.Example? {
        let environment = environment(of: model, before, after)
        let oldTrial = EngineTrial(old.project, environment: environment, budget: budget)
        let newTrial = EngineTrial(new.project, environment: environment)
        let oldOnes = old.entrances.graph.decided(for: before), newOnes = new.entrances.graph.decided(for: after)
        let losesDecision = losesOwn && model.storedDecisions[before.id.text] ?? false
        var found: PopulationVisitor?
        // Stored variations come from the old config.
        _ = oldTrial.visitor(as: model) { person in
            var person = person
            if losesDecision {
                person.stored.apply(.bucketing(experienceID: before.id.key, variationID: "gone"))
            }
            let was = oldTrial.decide(oldOnes, for: person).last
            let now = newTrial.decide(newOnes, for: person).last
            let (inside, outside) = isEntering ? (now, was) : (was, now)
            let isShown = inside?.variation != nil && outside?.reason.map { !$0.isBehindTheGates } ?? false
            if isShown { found = person }
            return isShown
        }
        return EntranceComparison.Example(found, in: environment)
    }

    /// Keys of the experiences whose visitors change and that `before` or `after` ask about, directly or through
    /// others.
    private func changedKeys(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> [String] {
        var keys: [String] = []
        var known: Set<String> = []
        // If all experiences ask about each other, few links lead to an unseen one.
        var unseen = PlaceSet(full: places.count)
        if let own = places[after.id.key] { _ = unseen.remove(own) }
        var pending = [links(before, after)]
        var position = 0
        while position < pending.count {
            let links = pending[position]
            position += 1
            if links.targets.isDisjoint(with: unseen) { continue }
            for link in links.all where unseen.remove(link.place) {
                let first = old.entrances.graph.experience(id: link.id)
                let second = new.entrances.graph.experience(id: link.id)
                if changes(from: first, to: second, id: link.id) || link.isReordered || link.isRenamed {
                    let key = (second ?? first)?.key ?? link.key
                    if known.insert(key).inserted { keys.append(key) }
                }
                guard let one = first ?? second else { continue }
                let next = memo.links[link.id] ?? self.links(one, second ?? one)
                memo.links[link.id] = next
                pending.append(next)
            }
        }
        return keys
    }

    /// Whether the set of visitors who get a variation of an experience changes.
    private func changes(
        from first: ProjectConfig.Experience?, to second: ProjectConfig.Experience?, id: PropertyKey
    ) -> Bool {
        if let known = memo.changes[id] { return known }
        let was = first.map { old.entrances.entry(of: $0, stored: .any) } ?? EntryFormulas.Estimate(formula: .fails)
        let now = second.map { new.entrances.entry(of: $0, stored: .any) } ?? EntryFormulas.Estimate(formula: .fails)
        var isChanged = was.formula != now.formula
        if !isChanged, !was.isExact || !now.isExact {
            // The experience's own questions are known even then.
            isChanged =
                first.map(old.entrances.ownPassage) != second.map(new.entrances.ownPassage)
                || first.map(old.entrances.room) != second.map(new.entrances.room)
        }
        memo.changes[id] = isChanged
        return isChanged
    }

    /// The questions of two versions of an experience about others.
    private func links(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> Links {
        let (first, second) = (old.entrances.graph.questions(of: before), new.entrances.graph.questions(of: after))
        var result = Links(all: [], targets: PlaceSet(empty: places.count))
        func append(_ question: ExperienceQuestion, isReordered: Bool) {
            guard let place = places[question.id] else { return }
            result.targets.insert(place)
            result.all.append(
                Link(
                    id: question.id, place: place, key: question.key, isReordered: isReordered,
                    isRenamed: isRenamed(question)))
        }
        for now in second {
            append(now, isReordered: first[now.id].map { $0.isDecidedBefore != now.isDecidedBefore } ?? false)
        }
        for was in first where second[was.id] == nil { append(was, isReordered: false) }
        return result
    }

    /// Whether the key in a question names another experience than before, or none.
    private func isRenamed(_ question: ExperienceQuestion) -> Bool {
        let key = PropertyKey(question.key)
        return old.entrances.graph.id(forKey: key)?.key != new.entrances.graph.id(forKey: key)?.key
    }
}
