internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds experiences whose audiences ask about others that change: they are entered by other visitors though nothing of
/// them was edited.
struct DependantComparison: EntranceComparing {
    let entrances: EntranceComparison
    private let memo = Memo()
    /// The numbers of the experiences of both configs, by their ids.
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

    /// What was worked out already. A class, because a question changes nothing that its caller sees.
    private final class Memo {
        /// Whether the visitors of experiences change, by the experiences' ids.
        var changes: [PropertyKey: Bool] = [:]
        /// What experiences ask about others, by the experiences' ids.
        var links: [PropertyKey: Links] = [:]
    }

    /// What an experience asks about another one, in the old config or in the new one.
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

    /// What changes for an experience because of others.
    struct Dependence {
        /// Keys of the experiences that it is changed by, those that it asks about itself first.
        var keys: [String]
        /// What changes, whatever is stored of others: for visitors without a stored decision of it or, from
        /// `storedDependence`, for those with one.
        var change = EntranceComparison.Change()
        /// What of it new visitors show, of whom nothing is stored.
        var newVisitors = ConfigDifference.AudienceChange.equivalent
        /// Whether the change is also of what the experience edits itself.
        var hasOwnEdits = false
        /// The shares of the new visitors who meet its own rules; `nil` if they depend on attributes.
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
        let room = (old: old.entrances.room(of: before), new: new.entrances.room(of: after))
        // Where no variation takes visitors, no answer depends on which visitors are let in.
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
            let shares = shares(before, after)
            if shares?.isChanged ?? true { add(newOnes) }
            // Exact shares say it even where none of the visitors that were tried shows it. They are of the visitors
            // who meet the other rules of both versions, so that they say all only where these are the same.
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
            // Others may ask about a decision that is stored for a variation which no config has any more.
            if result.change.change != .changed, result.change.change != .undecided,
                [versions.old, versions.new].contains(where: { $0.formula.mentions(isStored) })
            {
                add(versions, isStored)
            }
        }
        return result.change.change == .equivalent ? nil : result
    }

    /// What others leave of the visitors of an experience that there was not; `nil` if it asks about none of them.
    func dependence(ofAdded after: ProjectConfig.Experience) -> Dependence? {
        let questions = new.entrances.questions(of: after)
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

    /// A visitor who gets a variation of an experience that there was not.
    private func visitor(
        as model: VisitorSearch.Model, entering after: ProjectConfig.Experience
    ) -> EntranceComparison.Example? {
        let environment = environment(of: model, after, after)
        let trial = EngineTrial(new.project, environment: environment)
        let deciding = new.entrances.decided(for: after)
        var found: PopulationVisitor?
        // Variations that are stored are of the old config.
        _ = EngineTrial(old.project, environment: environment, budget: budget).visitor(as: model) { person in
            if trial.decide(deciding, for: person).last?.variation != nil { found = person }
            return found != nil
        }
        return EntranceComparison.Example(found, in: environment)
    }

    /// The shares of new visitors, where nothing but what is asked about others decides.
    private func shares(
        _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience
    ) -> AdmissionShares? {
        guard before.environmentText == after.environmentText,
            let one = old.entrances.questionPart(of: before, stored: .none),
            let other = new.entrances.questionPart(of: after, stored: .none)
        else { return nil }
        return AdmissionShares(from: one, to: other, environment: after.environmentName, budget)
    }

    /// What both versions of an experience ask of visitors.
    private struct Versions {
        let old: EntryFormulas.Estimate
        let new: EntryFormulas.Estimate
        /// What the new version would ask if the others were those of the old config.
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
        /// Whether others change nothing.
        var isOnlyEdited: Bool { edited == new.formula }
        /// Whether others change something, which is worked out.
        var areChangedByOthers: Bool { isExact && !areSame && !isOnlyEdited }
    }

    /// What changes because of others for visitors whose decision for `before` is stored; `nil` if others change
    /// nothing, or it could not be worked out. The shares are of visitors whom the old config decided once before; the
    /// change is of all, whatever is stored of others.
    ///
    /// The variations must have the ids that they had.
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
            if before.environmentText == after.environmentText,
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
            } else {
                shares = nil
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

    /// A visitor with the decisions of a first call by the old config, whom a second one lets in by one config only.
    private func returningVisitor(
        as model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
        isEntering: Bool
    ) -> EntranceComparison.Example? {
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
        return EntranceComparison.Example(found, in: environment)
    }

    /// Where a visitor shows a change; `nil` if all experiences that decide it run everywhere.
    private func environment(
        of model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience
    ) -> String? {
        if let name = model.environment ?? after.environmentName ?? before.environmentName { return name }
        let deciding = old.entrances.decided(for: before) + new.entrances.decided(for: after)
        return deciding.contains { $0.environment != .anywhere } ? EngineTrial.usualEnvironment : nil
    }

    /// A visitor who gets a variation of one version and is not let into the other by a call for all experiences.
    ///
    /// - Parameter losesOwn: whether a decision that is stored for the experience itself is of a variation that it does
    ///   not have.
    private func visitor(
        as model: VisitorSearch.Model, _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience,
        isEntering: Bool, losesOwn: Bool = false
    ) -> EntranceComparison.Example? {
        let environment = environment(of: model, before, after)
        let oldTrial = EngineTrial(old.project, environment: environment, budget: budget)
        let newTrial = EngineTrial(new.project, environment: environment)
        let oldOnes = old.entrances.decided(for: before), newOnes = new.entrances.decided(for: after)
        let losesDecision = losesOwn && model.storedDecisions[before.id.text] ?? false
        var found: PopulationVisitor?
        // Variations that are stored are of the old config.
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

    /// Keys of the experiences whose visitors change and which `before` or `after` ask about, directly or through
    /// others.
    private func changedKeys(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> [String] {
        var keys: [String] = []
        var known: Set<String> = []
        // Where experiences all ask about each other, few of the links lead to a new one.
        var unseen = PlaceSet(full: places.count)
        if let own = places[after.id.key] { _ = unseen.remove(own) }
        var pending = [links(before, after)]
        var position = 0
        while position < pending.count {
            let links = pending[position]
            position += 1
            if links.targets.isDisjoint(with: unseen) { continue }
            for link in links.all where unseen.remove(link.place) {
                let first = old.entrances.experience(id: link.id), second = new.entrances.experience(id: link.id)
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

    /// Whether other visitors get a variation of an experience.
    private func changes(
        from first: ProjectConfig.Experience?, to second: ProjectConfig.Experience?, id: PropertyKey
    ) -> Bool {
        if let known = memo.changes[id] { return known }
        let was = first.map { old.entrances.entry(of: $0, stored: .any) } ?? EntryFormulas.Estimate(formula: .fails)
        let now = second.map { new.entrances.entry(of: $0, stored: .any) } ?? EntryFormulas.Estimate(formula: .fails)
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

    /// What two versions of an experience ask about others.
    private func links(_ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience) -> Links {
        let (first, second) = (old.entrances.questions(of: before), new.entrances.questions(of: after))
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

    /// Whether the key that is asked about is that of another experience than before, or of none.
    private func isRenamed(_ question: ExperienceQuestion) -> Bool {
        old.entrances.experienceID(forKey: question.key) != new.entrances.experienceID(forKey: question.key)
    }
}
