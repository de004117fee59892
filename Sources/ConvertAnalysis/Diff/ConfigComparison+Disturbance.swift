internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Finds running experiments that a change disturbs, and experiences that lose their visitors.
extension ConfigComparison {
    /// Whether the experience runs, and two or more of its variations get visitors.
    func isRunningExperiment(_ experience: ProjectConfig.Experience) -> Bool {
        !oldArchive.isArchived(experience) && oldEntrances.graph.experienceFound(insteadOf: experience) == nil
            && old.runsSomewhere(experience)
            && BucketShares(of: experience, semantics: semantics).arms.count { $0.share > 0 } > 1
    }

    /// The disturbance of `before`, if it was a running experiment.
    func disturbance(
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
            // Without a stored decision for the experience itself, they get no variation.
            let isOnlyKept =
                isKeptOnly(newEntrances.passage(of: after, stored: .any), before)
                && isKeptOnly(oldEntrances.passage(of: before, stored: .any), before)
            let isStoredKept =
                found.storedMoves.isEmpty && found.undealtMoves.isEmpty && found.lostDecisions.isEmpty
                && found.storedAudience == .equivalent
            if isOnlyKept, isStoredKept { return nil }
        }
        let new = BucketShares(of: after, semantics: semantics)
        if new.total == 0 { return .ended }
        if dividesOtherwise(before, after, found) || !found.newlyAssigned.isEmpty { return .sampleRatio }
        let changes = [found.audience, found.storedAudience]
        let isOther =
            !changes.allSatisfy { $0 == .equivalent } || found.dependence != nil || !found.reordered.isEmpty
            || found.environments != nil || found.moves.contains { $0.from == nil || $0.to == nil }
        if isOther { return .population }
        return found.moved > 0 || !found.lostDecisions.isEmpty ? .assignment : found.change == .renamed ? .renamed : nil
    }

    /// Whether only visitors pass who have a stored decision of `experience`.
    private func isKeptOnly(_ passage: EntryFormulas.Estimate, _ experience: ProjectConfig.Experience) -> Bool {
        let isStored = oldEntrances.storedDecision(experience.id.text)
        return passage.isExact && entrances.search.isImpossible([passage.formula, isStored.negated])
    }

    /// Whether the visitors of the experience, counted before and after the change, are divided in shares of neither
    /// version.
    private func dividesOtherwise(
        _ before: ProjectConfig.Experience, _ after: ProjectConfig.Experience, _ found: ConfigDifference.Experience
    ) -> Bool {
        let old = BucketShares(of: before, semantics: semantics), new = BucketShares(of: after, semantics: semantics)
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
        return !isShared || moves || isLost || before.id.key != after.id.key
    }

    /// The shares in which visitors are divided who came before, got no variation because of their bucket values, and
    /// get one now; empty if these are the shares of the new version, or if the ratio of all visitors breaks anyway.
    func newlyAssigned(
        from before: ProjectConfig.Experience, to after: ProjectConfig.Experience?,
        _ found: ConfigDifference.Experience
    ) -> [ConfigDifference.NewAssignment] {
        guard let after, !found.leavesAllNewVisitors, !before.runsApart(from: after) else { return [] }
        let shares = BucketShares(of: after, semantics: semantics)
        guard shares.total > 0, !dividesOtherwise(before, after, found) else { return [] }
        let counts = BucketRuns(after, under: semantics).newValues(since: BucketRuns(before, under: semantics))
        let total = Double(counts.values.reduce(0, +))
        var result: [ConfigDifference.NewAssignment] = []
        // Rounding of the ranges' edges may shift single values.
        var isUneven = false
        for (place, variation) in after.variations.enumerated() {
            let share = BucketRuns(after, under: semantics).valueCount(of: place)
            let allocated = Double(share) / Double(BucketRuns.count) / shares.total
            let count = Double(counts[place] ?? 0)
            if share == 0 { continue }
            if abs(count - allocated * total) >= 2 { isUneven = true }
            result.append(
                ConfigDifference.NewAssignment(
                    variation: variation.answer.name, share: total > 0 ? count / total : 0, allocated: allocated))
        }
        return isUneven ? result : []
    }

    /// Why no new visitor gets a variation of `experience`, if that is proven.
    func obstacle(to experience: ProjectConfig.Experience) -> String? {
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
    func exclusions(
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
}
