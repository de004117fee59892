internal import ConvertECMAScript

extension ConfigDifference.Experience {
    /// The change in one word.
    package var changeName: String { change == .none ? "changed" : change.rawValue }

    /// The change of the audience in a few words.
    package var admission: String {
        dependence.map { "\($0.change.rawValue), by \($0.hasOwnEdits ? "its own edits and by " : "")other experiences" }
            ?? audience.rawValue
    }

    /// The changes in sentences, except the moves.
    package var facts: [String] {
        var facts: [String] = []
        if let oldKey { facts.append("calls by the old key '\(oldKey)' get nothing") }
        facts += renamedVariations.map { "variation \($0.from) is called \($0.to) now; no visitor moves by that" }
        if let shadowingID {
            facts.append(
                change == .unshadowed
                    ? "calls by its key find it now; before, they found the experience with the id \(shadowingID)"
                    : "calls by its key find the experience with the id \(shadowingID), which comes first in the config"
            )
        }
        facts += storedFacts
        if let environments {
            facts.append("environment: \(environments.map { $0.isEmpty ? "any" : $0 }.joined(separator: " → "))")
            if environments[0].isEmpty, environments[1] != Self.nowhere {
                facts.append("no visitor gets it in other environments any more")
            }
        }
        if let obstacle { facts.append("no new visitor gets a variation: \(obstacle)") }
        if let disturbanceFact { facts.append("a running experiment: \(disturbanceFact)") }
        return facts + audienceFacts
    }

    /// The changes for visitors with a stored decision that are no moves between variations.
    private var storedFacts: [String] {
        var facts: [String] = []
        if let ids {
            facts.append(
                "it has the id \(ids[1]) instead of \(ids[0]): its stored decisions are lost, and its visitors are "
                    + "assigned again, by the current allocation")
        }
        for move in undealtMoves {
            guard let to = move.to else { continue }
            facts.append("visitors whose stored decision is \(move.from), which no new visitor got, get \(to) now")
        }
        for lost in lostDecisions where ids == nil {
            let change = lost.newID.map { "has the id \($0) instead of \(lost.id)" } ?? "with the id \(lost.id) is gone"
            facts.append(
                "variation \(lost.variation) \(change): its stored decisions are lost, and its visitors are "
                    + "assigned again, by the current allocation")
        }
        return facts
    }

    /// The disturbance of a running experiment; `nil` if another fact already says it.
    private var disturbanceFact: String? {
        switch disturbance {
        case .sampleRatio? where !newlyAssigned.isEmpty:
            "expect its sample ratio to break among visitors who came before and got no variation; of the "
                + "visitors who get one now, "
                + newlyAssigned.map { assignment in
                    let (share, allocated) = (Self.percent(assignment.share), Self.percent(assignment.allocated))
                    return "\(share) get \(assignment.variation) (allocated: \(allocated))"
                }.joined(separator: ", ") + "; srm --log leaves these visitors out"
        case .sampleRatio?: "expect its sample ratio to break"
        case .treatment? where isOnlyReadOtherwise:
            "its visitors read other features or variables; do not pool data from before and after"
        case .treatment?:
            "its variations carry other features or variables; do not pool data from before and after"
        case .population?: "other visitors than before are let in"
        case .assignment? where moved > 0: "visitors without a stored decision get another variation"
        case .ended?: "it ends" + (keepersNote ?? "")
        case .assignment?, .renamed?, nil: nil
        }
    }

    /// The changes of the visitors that are let in.
    private var audienceFacts: [String] {
        var facts: [String] = []
        if isExchanged { facts.append("it lets in new visitors, but none that it let in before") }
        if let dependence { facts += self.facts(of: dependence) }
        if let fact = admittedFact { facts.append(fact) }
        if audience != .equivalent { facts.append("visitors let in: \(audience.rawValue)") }
        if storedAudience != audience, !isNew {
            facts.append("for visitors with a stored decision, \(storedAudience.words)")
        }
        if !excludedFrom.isEmpty {
            facts.append(
                "visitors who lose it keep the stored decision, which still excludes them from "
                    + excludedFrom.joined(separator: ", "))
        }
        if !reordered.isEmpty {
            facts.append(
                "its audiences ask about \(reordered.joined(separator: ", ")); a call for all experiences now decides "
                    + "these before it instead of after it, or the reverse")
        }
        return facts
    }

    private func facts(of dependence: ConfigDifference.Dependence) -> [String] {
        let own = dependence.hasOwnEdits ? "together with its own edits, " : ""
        let others = dependence.dependsOn.joined(separator: ", ")
        var facts = [isNew ? "asks about \(others)" : "changed by \(others): \(own)\(dependence.change.words)"]
        if !isNew, dependence.newVisitors != dependence.change, dependence.change != .undecided {
            facts.append("for new visitors alone, \(dependence.newVisitors.words)")
        }
        return facts
    }

    /// The shares of visitors whom other experiences let in, as a sentence; `nil` if they are unknown.
    private var admittedFact: String? {
        guard let before = basis.admittedBefore ?? dependence?.admittedBefore,
            let after = basis.admittedAfter ?? dependence?.admittedAfter, !isGone
        else { return nil }
        let shares = isNew || before == after ? "" : "\(Self.percent(before)) → "
        return "lets in \(shares)\(Self.percent(after)) of the new visitors who meet its other rules"
    }

    /// Visitors who show how the audience changed, each with a label that says what changes for the visitor.
    package var witnesses: [(label: String, visitor: PopulationVisitor)] {
        var found = [
            ("enters", dependence?.enters, dependence?.entersEnvironment),
            ("leaves", dependence?.leaves, dependence?.leavesEnvironment),
            ("enters", enters, entersEnvironment), ("leaves", leaves, leavesEnvironment),
        ]
        if storedAudience != audience {
            found += [
                ("enters with a stored decision", storedEnters, storedEntersEnvironment),
                ("leaves with a stored decision", storedLeaves, storedLeavesEnvironment),
            ]
        }
        var witnesses: [(label: String, visitor: PopulationVisitor)] = []
        for case (let label, let visitor?, let environment) in found {
            // The first visitor with a label is enough. It also shows the effect of other experiences.
            if witnesses.contains(where: { $0.label.hasPrefix(label) }) { continue }
            witnesses.append((label + (environment.map { " (environment \($0))" } ?? ""), visitor))
        }
        return witnesses
    }

    /// Whether the experience did not exist before, or was archived, or calls by its key did not find it.
    var isNew: Bool { change == .added || change == .restored || change == .unshadowed }

    /// The visitors that ``moved`` is a share of, in words.
    package var newVisitors: String {
        let isPast = leavesAllNewVisitors || isGone
        var words = "the new visitors"
        if let environment = basis.environment { words += " in the environment \(environment)" }
        words += " who \(isPast ? "met" : "meet") its rules"
        if !isNew, !isPast, basis.isIncomplete { words += " before and after" }
        let others = basis.others.joined(separator: ", ")
        if basis.isOfAdmitted, !others.isEmpty {
            words += ", including those about \(others),"
        } else if basis.admittedAfter != nil {
            words += " (apart from those about \(others))"
        }
        return words
    }

    /// ``moved`` in words.
    package var movedText: String { Self.text(moved, isUnknown: basis.isIncomplete) }

    /// ``storedMoved`` in words.
    package var storedMovedText: String { Self.text(storedMoved, isUnknown: basis.isStoredIncomplete) }

    private static func text(_ share: Double, isUnknown: Bool) -> String {
        if !isUnknown { return percent(share) }
        return share > 0 ? "\(percent(share)) of those let in before and after" : "unknown"
    }

    /// The number of visitors who keep a variation of an ended experience, as the rest of a sentence; `nil` if no
    /// visitor keeps one.
    package var keepersNote: String? {
        guard disturbance == .ended, !isGone, storedMoved < 1 else { return nil }
        let isLeft = storedAudience != .equivalent && storedAudience != .wider
        let keepers = population?.kept.map { "\($0) " } ?? (isLeft ? "some " : "")
        return " for new visitors (\(keepers)visitors with a stored decision keep their variation)"
    }

    /// A share in percent, with the precision of bucket values.
    package static func percent(_ share: Double) -> String {
        ECMAScript.toString((share * 10_000).rounded() / 100) + " %"
    }
}

extension [ConfigDifference.Move] {
    /// The share of the moves that are not listed; `nil` if all moves are listed.
    package func shareOfOthers(in moved: Double) -> Double? {
        guard count >= BucketMoves.limit else { return nil }
        let rest = moved - reduce(0) { $0 + $1.share }
        return rest > 1e-9 ? rest : nil
    }
}

extension ConfigDifference.AudienceChange {
    /// Creates a change from whether visitors are newly let in, and whether visitors are no longer let in; `nil` stands
    /// for undecided.
    init(isEntered: Bool?, isLeft: Bool?) {
        self =
            switch (isEntered, isLeft) {
            case (nil, _), (_, nil): .undecided
            case (true?, true?): .changed
            case (true?, false?): .wider
            case (false?, true?): .narrower
            case (false?, false?): .equivalent
            }
    }

    /// The changes as a sentence about the experience.
    fileprivate var words: String {
        switch self {
        case .equivalent: "it lets in the same visitors (equivalent)"
        case .narrower: "it lets in fewer visitors (narrower)"
        case .wider: "it lets in more visitors (wider)"
        case .changed: "it lets in other visitors (changed)"
        case .undecided: "it may let in other visitors (undecided)"
        }
    }
}

extension ConfigDifference.Feature {
    /// The key; if it changed, the old key stands before it.
    package var name: String { oldKey.map { "\($0) → \(key)" } ?? key }

    /// The changes in sentences, except the variables.
    ///
    /// - Parameter difference: the difference that contains this feature.
    package func facts(in difference: ConfigDifference) -> [String] {
        var facts = lostKey.map { ["calls by the \(oldKey == nil ? "" : "old ")key '\($0)' get nothing"] } ?? []
        facts += recipients.flatMap { recipients in
            let experience = difference.experiences.first { $0.key == recipients.experience }
            return recipients.facts(of: experience).map { "\(recipients.experience): \($0)" }
        }
        if let order { facts.append(order.fact) }
        if let population {
            facts.append(difference.countText(population.moved, unknowable: population.unknowable))
        } else if difference.visitorCount != nil {
            facts.append("no line of the log asks for it")
        }
        return facts
    }
}

extension ConfigDifference.Feature.Recipients {
    /// The changes for visitors, as sentences about the experience.
    fileprivate func facts(of experience: ConfigDifference.Experience?) -> [String] {
        func percent(_ share: Double) -> String { ConfigDifference.Experience.percent(share) }
        var facts: [String] = []
        if moved > 0, let experience {
            facts.append("\(percent(moved)) of \(experience.newVisitors) get the feature differently")
        }
        if storedMoved > 0 {
            facts.append("\(percent(storedMoved)) of the visitors whose decision is stored get the feature differently")
        }
        if isEntered { facts.append("visitors whom the experience newly lets in may get the feature") }
        if isLeft { facts.append("visitors whom the experience no longer lets in may lose the feature") }
        if losesDecisions { facts.append("visitors whose stored decisions are lost may lose the feature") }
        return facts
    }
}

extension ConfigDifference.Feature.Order {
    /// The effect of the new order, as a sentence.
    fileprivate var fact: String {
        let certainty = moved == nil && visitor == nil ? "may read" : "read"
        return "visitors who get it from several experiences \(certainty) the variables of "
            + "\(experiences.joined(separator: ", ")) first now"
            + (moved.map { ": \(ConfigDifference.Experience.percent($0)) of the new visitors" } ?? "")
    }

    /// The change that the visitor shows, in a few words.
    package var label: String { "reads other variables" + (environment.map { " (environment \($0))" } ?? "") }
}

extension ConfigDifference.Feature.Values {
    /// The variables that visitors got, in a few words.
    package var beforeText: String { Self.text(before, isDealtBefore) }
    /// The variables that visitors get now, in a few words.
    package var afterText: String { Self.text(after, isDealtAfter) }

    private static func text(_ variables: String?, _ isDealt: Bool) -> String {
        variables.map { isDealt ? $0 : "\($0) (no new visitor gets the variation)" } ?? "not carried"
    }
}

extension ConfigDifference {
    /// A number of the population's visitors, with the total number.
    package func countText(_ moved: Int, unknowable: Int) -> String {
        "of the population: \(moved) of \(visitorCount ?? 0)" + (visitorEnvironment.map { " (\($0))" } ?? "")
            + DecisionReplay.unknowableText(unknowable)
    }

    /// A note that counts of visitors are estimates; `nil` if they are exact.
    package var samplingNote: String? {
        sampledOneIn.map {
            "Numbers of visitors are estimates: one in \($0) was counted, because the log has too many visitors."
        }
    }
}

extension ConfigDifference.Goal {
    /// The change as a sentence.
    package var fact: String {
        key.map { "goal \(oldKey) is called \($0) now; conversions tracked as '\(oldKey)' no longer count" }
            ?? "goal \(oldKey) is gone; conversions tracked with its key no longer count"
    }
}

extension ConfigDifference.Segment {
    /// The change as a sentence.
    package var fact: String {
        "segment \(oldKey) " + (key.map { "is called \($0) now" } ?? "is gone")
            + "; calls with the key '\(oldKey)' put no visitor into it"
    }
}

extension ConfigDifference.Rules {
    /// The change as a sentence.
    package var fact: String {
        let words =
            switch change {
            case .narrower: "match fewer"
            case .wider: "match more"
            case .changed: "match other"
            case .equivalent, .undecided: "may match other"
            }
        let entrants = experiences.isEmpty ? "" : ", which \(experiences.joined(separator: ", ")) lets in"
        return switch owner {
        case .goal: "goal \(key): its rules \(words) conversions"
        case .segment: "segment \(key): its rules \(words) visitors\(entrants)"
        }
    }
}

extension ConfigDifference {
    /// The changes of goals and segments, in sentences.
    package var otherFacts: [String] { goals.map(\.fact) + segments.map(\.fact) + rules.map(\.fact) }
}
