internal import ConvertECMAScript

extension ConfigDifference.Experience {
    /// What became of it, in a word.
    package var changeName: String { change == .none ? "changed" : change.rawValue }

    /// Whom it lets in now, in a few words.
    package var admission: String {
        dependence.map { "\($0.change.rawValue), \($0.hasOwnEdits ? "itself and " : "")through others" }
            ?? audience.rawValue
    }

    /// What is to be said of it in sentences, besides who moves.
    package var facts: [String] {
        var facts: [String] = []
        if let oldKey { facts.append("calls by the old key '\(oldKey)' get nothing") }
        for renaming in renamedVariations {
            facts.append("variation \(renaming.from) is called \(renaming.to) now; no visitor moves by that")
        }
        for lost in lostDecisions {
            let change = lost.newID.map { "has the id \($0) instead of \(lost.id)" } ?? "with the id \(lost.id) is gone"
            facts.append(
                "variation \(lost.variation) \(change): its stored decisions are lost, and its visitors are dealt a "
                    + "variation again, by today's allocation")
        }
        if let environments {
            facts.append("environment: \(environments.map { $0.isEmpty ? "any" : $0 }.joined(separator: " → "))")
        }
        if let obstacle { facts.append("no new visitor gets a variation: \(obstacle)") }
        switch disturbance {
        case .sampleRatio?: facts.append("a running experiment: expect its sample ratio to break")
        case .treatment?:
            facts.append(
                "a running experiment: its variations carry other features or variables; do not pool data from before "
                    + "and after")
        case .population?: facts.append("a running experiment: other visitors than before are let in")
        case .assignment? where moved > 0:
            facts.append("a running experiment: visitors without a stored decision get another variation")
        case .ended?: facts.append("a running experiment: it ends" + (keepersNote ?? ""))
        case .assignment?, .renamed?, nil: break
        }
        if isExchanged {
            facts.append("of the new visitors whom it let in before, none are let in now: only others are")
        }
        if let dependence {
            let own = dependence.hasOwnEdits ? "together with its own edits, " : ""
            let others = dependence.dependsOn.joined(separator: ", ")
            facts.append(
                isNew
                    ? "asks about \(others)"
                    : "changed by \(others): \(own)\(dependence.change.words)")
            if !isNew, dependence.newVisitors != dependence.change, dependence.change != .undecided {
                facts.append("for new visitors alone, \(dependence.newVisitors.words)")
            }
            if let before = dependence.admittedBefore, let after = dependence.admittedAfter {
                facts.append(
                    "lets in \(isNew ? "" : "\(Self.percent(before)) → ")\(Self.percent(after)) of the new "
                        + "visitors who meet its rules")
            }
        }
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
                "decided on the other side of \(reordered.joined(separator: ", ")), which its audiences ask about")
        }
        return facts
    }

    /// Visitors who show whom it lets in now, each with what becomes of the visitor.
    package var witnesses: [(label: String, visitor: PopulationVisitor)] {
        var found = [
            ("enters", dependence?.enters, dependence?.entersEnvironment),
            ("leaves", dependence?.leaves, dependence?.leavesEnvironment),
            ("enters", enters, entersEnvironment), ("leaves", leaves, leavesEnvironment),
        ]
        if storedAudience != audience {
            found += [
                ("stays in", storedEnters, storedEntersEnvironment),
                ("drops out", storedLeaves, storedLeavesEnvironment),
            ]
        }
        var witnesses: [(label: String, visitor: PopulationVisitor)] = []
        for case (let label, let visitor?, let environment) in found {
            // What others change too, the first visitor shows.
            if witnesses.contains(where: { $0.label.hasPrefix(label) }) { continue }
            witnesses.append((label + (environment.map { " (environment \($0))" } ?? ""), visitor))
        }
        return witnesses
    }

    /// Whether there was no such experience, or an archived one.
    private var isNew: Bool { change == .added || change == .restored }

    /// The new visitors of whom ``moved`` is a share, in words.
    package var newVisitors: String {
        if leavesAllNewVisitors || change == .removed || change == .archived {
            return "the new visitors who met its rules"
        }
        var words = "the new visitors who meet its rules"
        if !isNew, audience != .equivalent { words += " before and after" }
        if let dependence, dependence.admittedAfter == nil {
            words += ", including those about \(dependence.dependsOn.joined(separator: ", ")),"
        }
        return words
    }

    /// Of an experience that ended: how many visitors keep a variation, as the rest of a sentence; `nil` if none does.
    package var keepersNote: String? {
        guard disturbance == .ended, change != .removed, change != .archived, storedMoved < 1 else { return nil }
        let isLeft = storedAudience != .equivalent && storedAudience != .wider
        let keepers = population?.kept.map { "\($0) " } ?? (isLeft ? "some " : "")
        return " for new visitors (\(keepers)stored visitors keep their variation)"
    }

    /// A share in percent, as exact as bucket values are.
    package static func percent(_ share: Double) -> String {
        ECMAScript.toString((share * 10_000).rounded() / 100) + " %"
    }
}

extension [ConfigDifference.Move] {
    /// The share of the moves that are not listed; `nil` if all are.
    package func shareOfOthers(in moved: Double) -> Double? {
        guard count >= BucketMoves.limit else { return nil }
        let rest = moved - reduce(0) { $0 + $1.share }
        return rest > 1e-9 ? rest : nil
    }
}

extension ConfigDifference.AudienceChange {
    /// What changes, as a sentence about the experience.
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
    /// The key, behind the old one if it had another.
    package var name: String { oldKey.map { "\($0) → \(key)" } ?? key }

    /// What is to be said of it in sentences, besides the variables.
    ///
    /// - Parameter difference: what it is a part of.
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
    /// What changes for its visitors, as sentences about the experience.
    fileprivate func facts(of experience: ConfigDifference.Experience?) -> [String] {
        func percent(_ share: Double) -> String { ConfigDifference.Experience.percent(share) }
        var facts: [String] = []
        if moved > 0, let experience {
            facts.append("\(percent(moved)) of \(experience.newVisitors) get it otherwise")
        }
        if storedMoved > 0 {
            facts.append("\(percent(storedMoved)) of the visitors whose decision is stored get it otherwise")
        }
        if isEntered { facts.append("visitors may get it whom the experience did not let in") }
        if isLeft { facts.append("visitors may lose it whom the experience does not let in any more") }
        if losesDecisions { facts.append("visitors whose stored decisions are lost may lose it") }
        return facts
    }
}

extension ConfigDifference.Feature.Order {
    /// What another order changes, as a sentence.
    fileprivate var fact: String {
        let certainty = moved == nil && visitor == nil ? "may read" : "read"
        return "visitors who get it from several experiences \(certainty) the variables of "
            + "\(experiences.joined(separator: ", ")) first now"
            + (moved.map { ": \(ConfigDifference.Experience.percent($0)) of the new visitors" } ?? "")
    }

    /// What the visitor shows, in a few words.
    package var label: String { "reads others" + (environment.map { " (environment \($0))" } ?? "") }
}

extension ConfigDifference.Feature.Values {
    /// What visitors got, in a few words.
    package var beforeText: String { Self.text(before, isDealtBefore) }
    /// What visitors get.
    package var afterText: String { Self.text(after, isDealtAfter) }

    private static func text(_ variables: String?, _ isDealt: Bool) -> String {
        variables.map { isDealt ? $0 : "\($0) (no new visitor gets the variation)" } ?? "not carried"
    }
}

extension ConfigDifference {
    /// A number of visitors of the population, and of how many in all.
    package func countText(_ moved: Int, unknowable: Int) -> String {
        "of the population: \(moved) of \(visitorCount ?? 0)" + (visitorEnvironment.map { " (\($0))" } ?? "")
            + DecisionReplay.unknowableText(unknowable)
    }

    /// That counts of visitors are estimates, as a sentence; `nil` if they are exact.
    package var samplingNote: String? {
        sampledOneIn.map {
            "Numbers of visitors are estimates: one in \($0) was counted, because the log has too many."
        }
    }
}

extension ConfigDifference.Goal {
    /// What becomes of it, as a sentence.
    package var fact: String {
        key.map { "goal \(oldKey) is called \($0) now; conversions tracked as '\(oldKey)' no longer count" }
            ?? "goal \(oldKey) is gone; conversions tracked with its key no longer count"
    }
}
