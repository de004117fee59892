internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension PopulationSimulation {
    /// Decides for one visitor and counts the results.
    ///
    /// - Returns: for each experience, whether the visitor is eligible.
    func count(_ visitor: PopulationVisitor, in tally: inout SimulationTally) -> [Bool] {
        var person = manager.visitor(visitor)
        tally.visitorCount += 1
        tally.addUnread(visitor.attributes, plan.readAttributes)
        var chosen: [(place: Int, variation: Int)] = []
        var kept: Set<Int> = []
        var eligible = plan.experiences.map { _ in false }
        func note(_ place: Int, _ conclusion: Conclusion) {
            eligible[place] = conclusion.isBehindTheGates
            if eligible[place] { tally.experiences[place].eligible += 1 }
            switch conclusion {
            case .variation(let selection):
                tally.experiences[place].variations[selection.variation] += 1
                let id = project.config.experiences[plan.experiences[place].index].id.key
                if selection.source == .stored, visitor.stored.bucketing?[id] != nil {
                    tally.experiences[place].kept[selection.variation] += 1
                    kept.insert(place)
                }
                chosen.append((place, selection.variation))
            case .none(let reason): tally.experiences[place].reasons[reason, default: 0] += 1
            }
        }
        let places = plan.places
        manager.concludeEach(for: &person, options: visitor.options(from: options)) { index, conclusion in
            if places[index] >= 0 { note(places[index], conclusion) }
        }
        // Stored decisions may come from another allocation.
        countAudiences(of: &person, chosen.filter { !kept.contains($0.place) }, in: &tally)
        countPairs(chosen, kept, in: &tally)
        countExclusions(of: visitor, eligible, chosen, in: &tally)
        return eligible
    }

    /// Counts the experiences that a visitor enters only because of values from rules: those in `eligible` whose entry
    /// conditions `visitor`, the same visitor without such values, does not meet.
    func countRuleValues(
        _ visitor: PopulationVisitor, _ eligible: [Bool], in tally: inout SimulationTally
    ) {
        guard eligible.contains(true) else { return }
        var person = manager.visitor(visitor)
        let places = plan.places
        manager.concludeEach(for: &person, options: visitor.options(from: options)) { index, conclusion in
            let place = places[index]
            guard place >= 0, eligible[place], !conclusion.isBehindTheGates else { return }
            tally.experiences[place].eligibleByRuleValues += 1
        }
    }

    /// Counts the exclusions that keep a visitor out of experiences whose other conditions the visitor meets.
    private func countExclusions(
        of visitor: PopulationVisitor, _ eligible: [Bool], _ chosen: [(place: Int, variation: Int)],
        in tally: inout SimulationTally
    ) {
        guard let withoutExclusions else { return }
        var person = withoutExclusions.visitor(visitor)
        var callOptions = visitor.options(from: options)
        callOptions.isStorageEnabled = false
        for (place, exclusions) in plan.exclusionsByExperience where !eligible[place] {
            let index = plan.experiences[place].index
            let conclusion = withoutExclusions.conclude(index, for: &person, options: callOptions).value
            guard conclusion.isBehindTheGates else { continue }
            tally.experiences[place].keptOut += 1
            let isBucketed = conclusion.selection?.source == .stored
            let closed = exclusions.filter { index in
                let exclusion = plan.exclusions[index]
                // A stored decision lets the visitor pass permanent audiences.
                if isBucketed, project.config.audiences[exclusion.audience].isPermanent { return false }
                let isInOther =
                    visitor.stored.bucketing?[exclusion.otherID]?.isTruthy == true
                    || exclusion.other < place && chosen.contains { $0.place == exclusion.other }
                return isInOther == exclusion.keepsOut
            }
            for index in closed { tally.exclusions[index].keptOut += 1 }
            // If any audience suffices, each open one lets the visitor in.
            if closed.count == 1 || project.config.experiences[index].audienceMatching != .all {
                for index in closed { tally.exclusions[index].keptOutAlone += 1 }
            }
        }
    }

    private func countAudiences(
        of visitor: inout Visitor, _ chosen: [(place: Int, variation: Int)], in tally: inout SimulationTally
    ) {
        var next = 0
        for (place, experience) in plan.experiences.enumerated() {
            var variation: Int?
            if next < chosen.count, chosen[next].place == place {
                variation = chosen[next].variation
                next += 1
            }
            for (slot, audience) in experience.audiences.enumerated()
            where manager.isMember(ofAudience: audience, &visitor) == true {
                tally.experiences[place].members[slot] += 1
                guard let variation else { continue }
                tally.experiences[place].memberVariations[slot * experience.variationCount + variation] += 1
            }
        }
    }

    private func countPairs(
        _ chosen: [(place: Int, variation: Int)], _ kept: Set<Int>, in tally: inout SimulationTally
    ) {
        tally.perVisitor[chosen.count] += 1
        for (position, second) in chosen.enumerated() where second.place < plan.pairedCount {
            let width = plan.experiences[second.place].variationCount
            for first in chosen[..<position] {
                if kept.contains(first.place) || kept.contains(second.place) {
                    tally.keptPairs[SimulationPlan.pair(first.place, second.place)] += 1
                    continue
                }
                let cell =
                    plan.cells(first: first.place, second: second.place) + first.variation * width + second.variation
                tally.pairs[cell] += 1
            }
        }
        for (index, exclusion) in plan.exclusions.enumerated()
        where chosen.contains(where: { $0.place == exclusion.other }) {
            if chosen.contains(where: { $0.place == exclusion.experience }) {
                tally.exclusions[index].both += 1
            } else {
                tally.exclusions[index].otherOnly += 1
            }
        }
    }
}

extension Conclusion {
    /// Whether the visitor met all entry conditions.
    fileprivate var isBehindTheGates: Bool {
        switch self {
        case .variation: true
        case .none(let reason): reason.isBehindTheGates
        }
    }
}
