internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Compares two configs, experience by experience.
struct ConfigComparison {
    /// The old and the new version of an experience, or only one of them.
    private struct Pair {
        let old: ProjectConfig.Experience?
        let new: ProjectConfig.Experience?

        var isRenamed: Bool { old.flatMap { before in new.map { $0.entityKey != before.entityKey } } ?? false }

        /// Whether both versions exist, in different environments.
        var isMoved: Bool { old.flatMap { before in new.map { !before.hasSameEnvironment(as: $0) } } ?? false }
    }

    /// The versions of an experience that calls decide.
    private struct Versions {
        let pair: Pair
        /// The old version; `nil` if it is archived, or calls by its key find another experience.
        let before: ProjectConfig.Experience?
        /// The new version; `nil` if it is archived, or calls by its key find another experience.
        let after: ProjectConfig.Experience?
        /// The experience that calls by the key of the old version find instead of it.
        let oldShadow: ProjectConfig.Experience?
        /// The experience that calls by the key of the new version find instead of it.
        let newShadow: ProjectConfig.Experience?

        var environments: [String]? {
            before.flatMap { before in after.map { [before.environmentText, $0.environmentText] } }
        }

        /// The id of the other experience, if calls by the key find it in one of the configs only.
        var shadowingID: String? {
            (oldShadow == nil) != (newShadow == nil) ? (newShadow ?? oldShadow)?.id.text : nil
        }
    }

    /// The change of the visitors that an experience lets in.
    struct Admission {
        let audience: EntranceComparison.Change
        /// The change for visitors with a stored decision.
        let storedAudience: EntranceComparison.Change
        /// The change because of other experiences.
        let dependence: DependantComparison.Dependence?
        /// The shares of visitors with a stored decision that other experiences let in.
        let storedShares: AdmissionShares?
        /// Whether `storedShares` is `nil` because other experiences let in the same ones of these visitors.
        let areStoredSharesKnown: Bool
    }

    let old: ProjectConfig
    let new: ProjectConfig
    private let oldProject: Project
    private let newProject: Project
    let entrances: EntranceComparison
    let dependants: DependantComparison
    let oldArchive: EngineTrial
    private let newArchive: EngineTrial
    let oldEntrances: EntryFormulas
    let newEntrances: EntryFormulas
    let semantics: RuleSemantics

    init(old: ProjectConfig, new: ProjectConfig, semantics: RuleSemantics, limits: AnalysisLimits) {
        self.old = old
        self.new = new
        let pool = ConditionPool(semantics: semantics, budget: AnalysisBudget(limits))
        oldProject = Project(old, options: pool.options)
        newProject = Project(new, options: pool.options)
        oldArchive = EngineTrial(oldProject, environment: nil)
        newArchive = EngineTrial(newProject, environment: nil)
        oldEntrances = EntryFormulas(oldProject, pool: pool)
        newEntrances = EntryFormulas(newProject, pool: pool, before: oldEntrances)
        self.semantics = semantics
        entrances = EntranceComparison(
            old: EntranceComparison.Side(project: oldProject, entrances: oldEntrances),
            new: EntranceComparison.Side(project: newProject, entrances: newEntrances), search: VisitorSearch(pool))
        dependants = DependantComparison(entrances)
    }

    var difference: ConfigDifference {
        let pairs = pairs
        var experiences = pairs.map(compare)
        let keys = pairs.map { ($0.new ?? $0.old)?.entityKey.lookUp ?? "" }
        let features = FeatureComparison(
            oldProject, newProject, Dictionary(firstOf: zip(keys, experiences)),
            CarrierOrder(entrances: entrances))
        let treated = Set(
            features.changes.flatMap(\.values).filter(\.isOtherTreatment).map { PropertyKey($0.experience) })
        for (index, pair) in pairs.enumerated()
        where treated.contains(keys[index]) || features.otherwiseRead.contains(keys[index]) {
            switch experiences[index].disturbance {
            case .ended?, .sampleRatio?: continue
            case .treatment?, .population?, .assignment?, .renamed?, nil: break
            }
            guard let before = pair.old, isRunningExperiment(before), let after = pair.new,
                !isClosed(newEntrances.passage(of: after, stored: .any))
            else { continue }
            experiences[index].disturbance = .treatment
            experiences[index].isOnlyReadOtherwise = !treated.contains(keys[index])
            if experiences[index].change == .none { experiences[index].change = .changed }
        }
        let rules = RuleComparison(entrances: entrances)
        return ConfigDifference(
            experiences: experiences, features: features.changes, goals: rules.lostGoals, segments: rules.lostSegments,
            rules: rules.changes)
    }

    /// The experiences, paired by id, or else by key. If several have one id, the first counts.
    private var pairs: [Pair] {
        func firstOnes(_ config: ProjectConfig) -> [ProjectConfig.Experience] {
            var ids: Set<PropertyKey> = []
            return config.experiences.filter { ids.insert($0.id.key).inserted }
        }
        let (oldOnes, newOnes) = (firstOnes(old), firstOnes(new))
        let newIDs = Set(newOnes.map(\.id.key))
        let byID = Dictionary(firstOf: oldOnes.map { ($0.id.key, $0) })
        let byKey = Dictionary(
            firstOf: oldOnes.filter { !newIDs.contains($0.id.key) }.map { ($0.entityKey.lookUp, $0) })
        var known: Set<PropertyKey> = []
        let pairs = newOnes.map { experience in
            let other = byID[experience.id.key] ?? byKey[experience.entityKey.lookUp]
            if let other { known.insert(other.id.key) }
            return Pair(old: other, new: experience)
        }
        return pairs + oldOnes.filter { !known.contains($0.id.key) }.map { Pair(old: $0, new: nil) }
    }

    private func compare(_ pair: Pair) -> ConfigDifference.Experience {
        let versions = versions(of: pair)
        let (before, after) = (versions.before, versions.after)
        let dealt = BucketMoves(from: before, to: after, under: semantics)
        let stored = BucketMoves(from: before, to: after, under: semantics, isStored: true)
        let storedMoves = StoredMoves(before, after, under: semantics)
        let reordered = reordered(before, after)
        let losesDecisions = !storedMoves.lost.isEmpty
        let admission = admission(before, after, losesDecisions: losesDecisions)
        let (audience, storedAudience) = (admission.audience, admission.storedAudience)
        let isEdited =
            dealt.moved > 0 || stored.moved > 0 || audience.change != .equivalent
            || storedAudience.change != .equivalent || !reordered.isEmpty || !storedMoves.lost.isEmpty
            || !storedMoves.undealt.isEmpty || pair.isMoved || admission.dependence != nil
        let leavesAll = leavesAll(before, after, isStored: false)
        let areApart =
            leavesAll
            && (admission.dependence?.shares == nil && !hasNewShares(before, after) || haveNoCommonRules(before, after))
        let newcomers = newcomers(before, after, admission, areApart: areApart)
        let returning = returning(before, after, admission, losesDecisions: losesDecisions)
        var result = ConfigDifference.Experience(
            key: (pair.new ?? pair.old)?.title ?? "", oldKey: pair.isRenamed ? pair.old?.key : nil,
            oldID: pair.old?.id.key, newID: pair.new?.id.key, change: change(versions, isEdited: isEdited),
            environments: pair.isMoved ? versions.environments : nil,
            moved: newcomers.moves.moved, moves: newcomers.moves.moves, storedMoved: returning.moves.moved,
            storedMoves: returning.moves.moves,
            audience: audience.change,
            enters: audience.enters?.visitor, leaves: audience.leaves?.visitor, storedAudience: storedAudience.change,
            storedEnters: storedAudience.enters?.visitor, storedLeaves: storedAudience.leaves?.visitor,
            reordered: reordered)
        result.dependence = admission.dependence.map(ConfigDifference.Dependence.init)
        if result.environments != nil { result.unknownEnvironment = after.flatMap(new.undeclaredEnvironment) }
        result.entersEnvironment = audience.enters?.environment
        result.leavesEnvironment = audience.leaves?.environment
        result.storedEntersEnvironment = storedAudience.enters?.environment
        result.storedLeavesEnvironment = storedAudience.leaves?.environment
        result.leavesAllNewVisitors = areApart
        result.obstacle = after.flatMap(obstacle)
        result.isExchanged =
            leavesAll && !(before?.runsApart(from: after) ?? false) && result.obstacle == nil
            && !(after.map { isClosed(newEntrances.passage(of: $0, stored: .none)) } ?? true)
        result.excludedFrom = before.map { exclusions(of: $0, result) } ?? []
        result.lostDecisions = storedMoves.lost
        result.undealtMoves = storedMoves.undealt
        if let before, let after, before.id.key != after.id.key { result.ids = [before.id.text, after.id.text] }
        result.shadowingID = versions.shadowingID
        result.renamedVariations = VariationNames(before, after).renamings
        result.describe(newcomers)
        let asked =
            (before.map { oldEntrances.graph.questions(of: $0).map(\.key) } ?? [])
            + (after.map { newEntrances.graph.questions(of: $0).map(\.key) } ?? [])
        result.basis.others = asked.uniqueNames
        result.basis.isIncomplete = isShareUnknown(of: newcomers, before, after, admission)
        result.basis.isStoredIncomplete =
            !storedMoves.undealt.isEmpty || isShareUnknown(ofStored: returning, before, after, admission)
        result.newlyAssigned = before.map { newlyAssigned(from: $0, to: after, result) } ?? []
        result.disturbance = before.flatMap { disturbance(of: $0, after, result) }
        return result
    }

    private func versions(of pair: Pair) -> Versions {
        let oldOne = pair.old.flatMap(oldEntrances.graph.experienceFound)
        let newOne = pair.new.flatMap(newEntrances.graph.experienceFound)
        return Versions(
            pair: pair, before: pair.old.flatMap { oldArchive.isArchived($0) || oldOne != nil ? nil : $0 },
            after: pair.new.flatMap { newArchive.isArchived($0) || newOne != nil ? nil : $0 },
            oldShadow: oldOne, newShadow: newOne)
    }

    private func change(_ versions: Versions, isEdited: Bool) -> ConfigDifference.Change {
        let (before, after) = (versions.before, versions.after)
        return switch (versions.pair.old, versions.pair.new) {
        case (nil, _): .added
        case (_, nil): .removed
        case _ where before != nil && after == nil: versions.newShadow == nil ? .archived : .shadowed
        case _ where before == nil && after != nil: versions.oldShadow == nil ? .restored : .unshadowed
        default: versions.pair.isRenamed ? .renamed : isEdited ? .changed : .none
        }
    }

    /// The change of the visitors that the experience lets in, new ones and ones with a stored decision.
    private func admission(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, losesDecisions: Bool
    ) -> Admission {
        var audience = entrances.change(from: before, to: after)
        var storedAudience = entrances.changeOfStored(from: before, to: after)
        var dependence = dependence(before, after, audience)
        if before == nil, let dependence { audience = dependence.change }
        // Other experiences may keep out every visitor whom its own rules let in.
        if let after, audience.enters != nil, isClosed(newEntrances.passage(of: after, stored: .any)) {
            audience.enters = nil
        }
        if let after, storedAudience.enters != nil,
            isClosed(newEntrances.passage(of: after, stored: .any, isBucketed: true))
        {
            storedAudience.enters = nil
        }
        if let before, let after, dependence == nil || !before.hasSameEnvironment(as: after) {
            let isOwn = audience.change != .equivalent && asksOtherwise(before, after)
            if isOwn || !before.hasSameEnvironment(as: after) {
                let found = dependants.examples(from: before, to: after)
                audience.enters = found.enters ?? audience.enters
                audience.leaves = found.leaves ?? audience.leaves
            }
        }
        var storedShares: AdmissionShares?
        var areStoredSharesKnown = false
        if let before, let after, before.id.key == after.id.key, !losesDecisions,
            let found = dependants.storedDependence(from: before, to: after)
        {
            storedAudience = storedAudience.combined(with: found.dependence.change)
            storedShares = found.shares.flatMap { $0.isChanged ? $0 : nil }
            areStoredSharesKnown = found.shares != nil
            if dependence == nil {
                dependence = found.dependence
                dependence?.hasOwnEdits = isEdited(before, after, audience)
            }
        }
        return Admission(
            audience: audience, storedAudience: storedAudience, dependence: dependence, storedShares: storedShares,
            areStoredSharesKnown: areStoredSharesKnown)
    }

    /// The changes for `before` because other experiences change. An experience counts as not edited if its audiences
    /// changed only because a key in them now names another experience.
    private func dependence(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, _ audience: EntranceComparison.Change
    ) -> DependantComparison.Dependence? {
        guard let before, let after else { return after.flatMap(dependants.dependence(ofAdded:)) }
        let isEdited = isEdited(before, after, audience)
        var found = dependants.dependence(from: before, to: after, itsOwn: isEdited ? audience.change : .equivalent)
        found?.hasOwnEdits = isEdited
        return found
    }

    private func isEdited(
        _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience, _ audience: EntranceComparison.Change
    ) -> Bool {
        audience.change != .equivalent
            && newEntrances.gates(of: after, asking: oldEntrances) != oldEntrances.gates(of: before)
    }

    /// Whether no visitor who got a variation gets one any more, because of rules, other experiences or the
    /// environment. Counts new visitors, or visitors with a stored decision, whatever else is stored for them.
    ///
    /// A visitor with several values of one attribute, such as an array, may meet both rules and does not count.
    func leavesAll(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?, isStored: Bool,
        losesDecisions: Bool = false
    ) -> Bool {
        guard let before, let after else { return false }
        let stored: EntryFormulas.StoredDecisions = isStored ? .any : .none
        let first = oldEntrances.passage(of: before, stored: stored, isBucketed: isStored)
        // Visitors whose decisions are lost are decided as new ones.
        let loses = losesDecisions || before.id.key != after.id.key
        return Set([isStored, isStored && !loses]).allSatisfy { isBucketed in
            let second = newEntrances.passage(of: after, stored: stored, isBucketed: isBucketed)
            if first.formula == second.formula || isClosed(first) { return false }
            if isClosed(second) { return true }
            return first.isExact && second.isExact
                ? entrances.search.isImpossible([first.formula, second.formula], kinds: .single)
                : haveNoCommonRules(before, after, isBucketed: (isStored, isBucketed))
        }
    }

    /// Whether no visitor meets what both ask, however the experiences that they ask about decide.
    func haveNoCommonRules(
        _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?,
        isBucketed: (before: Bool, after: Bool) = (false, false)
    ) -> Bool {
        guard let before, let after else { return false }
        return entrances.search.isImpossible(
            [
                oldEntrances.otherRules(of: before, isBucketed: isBucketed.before),
                newEntrances.otherRules(of: after, isBucketed: isBucketed.after),
            ], kinds: .single)
    }

    /// Whether it is proven that no visitor passes.
    func isClosed(_ passage: EntryFormulas.Estimate) -> Bool {
        entrances.search.isImpossible([passage.formula])
    }

    /// Keys of experiences that an experience asks about, if a call now decides them after it instead of before it, or
    /// the reverse.
    private func reordered(_ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?) -> [String] {
        guard let before, let after else { return [] }
        let (first, second) = (oldEntrances.graph.questions(of: before), newEntrances.graph.questions(of: after))
        return second.filter { now in
            guard let was = first[now.id], was.isDecidedBefore != now.isDecidedBefore else { return false }
            return isAnyoneInBoth(before, now.id, oldEntrances) || isAnyoneInBoth(after, now.id, newEntrances)
        }.map(\.key)
    }

    /// Whether a visitor who enters the experience with the id may also get a decision for `experience` in the same
    /// call.
    private func isAnyoneInBoth(
        _ experience: ProjectConfig.Experience, _ id: PropertyKey, _ entrances: EntryFormulas
    ) -> Bool {
        guard let other = entrances.graph.experience(id: id) else { return false }
        let search = self.entrances.search
        return !search.isImpossible([
            entrances.entry(of: other, stored: .any).formula, entrances.ownPassage(of: experience),
        ])
    }
}

extension ConfigDifference.Dependence {
    fileprivate init(_ found: DependantComparison.Dependence) {
        self.init(
            dependsOn: found.keys, change: found.change.change, newVisitors: found.newVisitors,
            hasOwnEdits: found.hasOwnEdits, admittedBefore: found.shares?.before,
            admittedAfter: found.shares?.after, enters: found.change.enters?.visitor,
            leaves: found.change.leaves?.visitor, entersEnvironment: found.change.enters?.environment,
            leavesEnvironment: found.change.leaves?.environment)
    }
}
