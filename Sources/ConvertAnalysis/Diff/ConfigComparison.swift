internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Compares two configs, experience by experience.
struct ConfigComparison {
    /// The old and the new version of an experience, or only one of them.
    private struct Pair {
        let old: ProjectConfig.Experience?
        let new: ProjectConfig.Experience?
    }

    private let old: ProjectConfig
    private let new: ProjectConfig
    private let oldProject: Project
    private let newProject: Project
    private let entrances: EntranceComparison
    private let dependants: DependantComparison
    private let oldArchive: EngineTrial
    private let newArchive: EngineTrial
    private let oldEntrances: EntryFormulas
    private let newEntrances: EntryFormulas
    private let semantics: RuleSemantics

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
        for (index, pair) in pairs.enumerated() where treated.contains(keys[index]) {
            switch experiences[index].disturbance {
            case .ended?, .sampleRatio?: continue
            case .treatment?, .population?, .assignment?, .renamed?, nil: break
            }
            guard let before = pair.old, isRunningExperiment(before), let after = pair.new,
                !isClosed(newEntrances.passage(of: after, stored: .any))
            else { continue }
            experiences[index].disturbance = .treatment
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
        let oldOne = pair.old.flatMap(oldEntrances.graph.experienceFound)
        let newOne = pair.new.flatMap(newEntrances.graph.experienceFound)
        let before = pair.old.flatMap { oldArchive.isArchived($0) || oldOne != nil ? nil : $0 }
        let after = pair.new.flatMap { newArchive.isArchived($0) || newOne != nil ? nil : $0 }
        let moves = BucketMoves(from: before, to: after, under: semantics)
        let stored = BucketMoves(from: before, to: after, under: semantics, isStored: true)
        var audience = entrances.change(from: before, to: after)
        var storedAudience = entrances.changeOfStored(from: before, to: after)
        let isMoved = pair.old.flatMap { was in pair.new.map { !was.hasSameEnvironment(as: $0) } } ?? false
        let environments = before.flatMap { was in after.map { [was.environmentText, $0.environmentText] } }
        let isRenamed =
            pair.old.flatMap { before in pair.new.map { $0.entityKey != before.entityKey } } ?? false
        let reordered = self.reordered(before, after)
        let storedMoves = StoredMoves(before, after, under: semantics)
        let lost = storedMoves.lost
        var dependence = self.dependence(before, after, audience)
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
        var storedShares: AdmissionShares?
        if let before, let after, before.id.key == after.id.key, lost.isEmpty,
            let found = dependants.storedDependence(from: before, to: after)
        {
            storedAudience = storedAudience.combined(with: found.dependence.change)
            storedShares = found.shares
            if dependence == nil {
                dependence = found.dependence
                dependence?.hasOwnEdits = isEdited(before, after, audience)
            }
        }
        let hasMoved =
            moves.moved > 0 || stored.moved > 0 || audience.change != .equivalent
            || storedAudience.change != .equivalent || !reordered.isEmpty || !lost.isEmpty
            || !storedMoves.undealt.isEmpty
        let change: ConfigDifference.Change =
            switch (pair.old, pair.new) {
            case (nil, _): .added
            case (_, nil): .removed
            case _ where before != nil && after == nil: newOne == nil ? .archived : .shadowed
            case _ where before == nil && after != nil: oldOne == nil ? .restored : .unshadowed
            default: isRenamed ? .renamed : hasMoved || isMoved || dependence != nil ? .changed : .none
            }
        let leavesAll = leavesAll(before, after, isStored: false)
        let areApart = leavesAll && (dependence?.shares == nil || haveNoCommonRules(before, after))
        // An added experience may not let in any visitor.
        let isEmpty = before == nil && dependence?.newVisitors == .equivalent
        let newcomers = self.moves(
            moves, before, after, dependence?.shares, leavesAll: areApart || isEmpty, isStored: false)
        let admitted = before.flatMap { before in
            after.flatMap { stored.moved > 0 ? dependants.storedAdmission(from: before, to: $0) : nil }
        }
        let returning = self.moves(
            stored, before, after, storedShares ?? admitted,
            leavesAll: self.leavesAll(before, after, isStored: true, losesDecisions: !lost.isEmpty)
                && (storedShares == nil || haveNoCommonRules(before, after)),
            isStored: true)
        var result = ConfigDifference.Experience(
            key: (pair.new ?? pair.old)?.title ?? "", oldKey: isRenamed ? pair.old?.key : nil,
            oldID: pair.old?.id.key, newID: pair.new?.id.key, change: change,
            environments: isMoved ? environments : nil,
            moved: newcomers.moved, moves: newcomers.moves, storedMoved: returning.moved, storedMoves: returning.moves,
            audience: audience.change,
            enters: audience.enters?.visitor, leaves: audience.leaves?.visitor, storedAudience: storedAudience.change,
            storedEnters: storedAudience.enters?.visitor, storedLeaves: storedAudience.leaves?.visitor,
            reordered: reordered)
        result.dependence = dependence.map { found in
            ConfigDifference.Dependence(
                dependsOn: found.keys, change: found.change.change, newVisitors: found.newVisitors,
                hasOwnEdits: found.hasOwnEdits,
                admittedBefore: found.shares?.before,
                admittedAfter: found.shares?.after, enters: found.change.enters?.visitor,
                leaves: found.change.leaves?.visitor,
                entersEnvironment: found.change.enters?.environment,
                leavesEnvironment: found.change.leaves?.environment)
        }
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
        result.lostDecisions = lost
        result.undealtMoves = storedMoves.undealt
        if let before, let after, before.id.key != after.id.key { result.ids = [before.id.text, after.id.text] }
        if (oldOne == nil) != (newOne == nil) { result.shadowingID = (newOne ?? oldOne)?.id.text }
        result.renamedVariations = VariationNames(before, after).renamings
        result.disturbance = before.flatMap { self.disturbance(of: $0, after, result) }
        return result
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

    /// The moves of new visitors, or of visitors with a stored decision, if other experiences decide whether they
    /// enter.
    ///
    /// - Parameter leavesAll: whether all visitors who were let in leave.
    private func moves(
        _ own: BucketMoves, _ before: ProjectConfig.Experience?, _ after: ProjectConfig.Experience?,
        _ shares: AdmissionShares?, leavesAll: Bool, isStored: Bool
    ) -> BucketMoves {
        let leaving = BucketMoves(from: before, to: nil, under: semantics, isStored: isStored)
        if leavesAll { return .sum([(shares?.before ?? 1, leaving)]) }
        guard let shares else { return own }
        let entering =
            isStored ? leaving.reversed : BucketMoves(from: nil, to: after, under: semantics)
        return .sum([(shares.before - shares.left, own), (shares.entered, entering), (shares.left, leaving)])
    }

    /// Whether no visitor who got a variation gets one any more, because of rules, other experiences or the
    /// environment. Counts new visitors, or visitors with a stored decision, whatever else is stored for them.
    ///
    /// A visitor with several values of one attribute, such as an array, may meet both rules and does not count.
    private func leavesAll(
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
    private func haveNoCommonRules(
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

    /// Whether the experience runs, and two or more of its variations get visitors.
    private func isRunningExperiment(_ experience: ProjectConfig.Experience) -> Bool {
        !oldArchive.isArchived(experience) && oldEntrances.graph.experienceFound(insteadOf: experience) == nil
            && old.runsSomewhere(experience)
            && BucketShares(of: experience, semantics: semantics).arms.count { $0.share > 0 } > 1
    }

    /// The disturbance of `before`, if it was a running experiment.
    private func disturbance(
        of before: ProjectConfig.Experience, _ after: ProjectConfig.Experience?, _ found: ConfigDifference.Experience
    ) -> ConfigDifference.Disturbance? {
        guard isRunningExperiment(before), found.changesAnswers else { return nil }
        guard let after, !before.runsApart(from: after) else { return .ended }
        if isClosed(newEntrances.passage(of: after, stored: .whereNeeded)) {
            if !isClosed(oldEntrances.passage(of: before, stored: .whereNeeded)) { return .ended }
            // Visitors may return with decisions that other configs stored.
            if isClosed(newEntrances.passage(of: after, stored: .any)),
                isClosed(oldEntrances.passage(of: before, stored: .any))
            {
                return nil
            }
        }
        let old = BucketShares(of: before, semantics: semantics), new = BucketShares(of: after, semantics: semantics)
        if new.total == 0 { return .ended }
        let names = VariationNames(before, after)
        func ratios(_ shares: BucketShares, _ name: (PropertyKey) -> PropertyKey) -> [PropertyKey: Double] {
            Dictionary(
                shares.arms.map { (name(PropertyKey($0.variationKey ?? $0.variationID)), $0.share / shares.total) },
                uniquingKeysWith: +)
        }
        let now = ratios(new) { $0 }
        let isShared = ratios(old, names.name).allSatisfy { abs($1 - (now[$0] ?? 0)) < 1e-12 }
        // If the shares are equal, new visitors are shared as before even if they get another variation.
        let moves =
            found.storedMoves.contains { $0.from != nil && $0.to != nil }
            || found.undealtMoves.contains { now[PropertyKey($0.to ?? "")] ?? 0 > 0 }
        let isLost = found.lostDecisions.contains { $0.newID == nil }
        if !isShared || moves || isLost || before.id.key != after.id.key { return .sampleRatio }
        let changes = [found.audience, found.storedAudience]
        let isOther =
            !changes.allSatisfy { $0 == .equivalent } || found.dependence != nil || !found.reordered.isEmpty
            || found.environments != nil || found.moves.contains { $0.from == nil || $0.to == nil }
        if isOther { return .population }
        return found.moved > 0 || !found.lostDecisions.isEmpty ? .assignment : found.change == .renamed ? .renamed : nil
    }

    /// Whether it is proven that no visitor passes.
    private func isClosed(_ passage: EntryFormulas.Estimate) -> Bool {
        entrances.search.isImpossible([passage.formula])
    }

    /// Why no new visitor gets a variation of `experience`, if that is proven.
    private func obstacle(to experience: ProjectConfig.Experience) -> String? {
        if experience.environment == .nowhere { return "its environment is not text, so no call can name it" }
        if let name = new.undeclaredEnvironment(of: experience) { return "the project has no environment '\(name)'" }
        if newEntrances.room(of: experience) == .fails { return "none of its variations gets traffic" }
        guard isClosed(newEntrances.passage(of: experience, stored: .whereNeeded)) else { return nil }
        if entrances.search.isImpossible([newEntrances.gates(of: experience)]) {
            return newEntrances.obstacle(to: experience, entrances.search)
        }
        let others = newEntrances.graph.questions(of: experience).map(\.key).joined(separator: ", ")
        return "its audiences ask about \(others), which leave it no new visitor"
    }

    /// Keys of the experiences that exclude the visitors of `before`; empty if no visitor with a stored decision for it
    /// loses the variation. Visitors who lose it stay excluded, because their decision stays stored.
    private func exclusions(
        of before: ProjectConfig.Experience, _ found: ConfigDifference.Experience
    ) -> [String] {
        let isLost = found.storedMoves.contains { $0.to == nil }
        if !isLost, found.storedAudience == .equivalent || found.storedAudience == .wider { return [] }
        let rules = oldEntrances.otherRules(of: before, isBucketed: true)
        return new.experiences.filter { other in
            guard newEntrances.graph.questions(of: other)[before.id.key]?.keepsOut ?? false else { return false }
            return newEntrances.room(of: other) != .fails
                && !entrances.search.isImpossible([rules, newEntrances.otherRules(of: other)])
        }.map { $0.entityKey.lookUp.name }
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
