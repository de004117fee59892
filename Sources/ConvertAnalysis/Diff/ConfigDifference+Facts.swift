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
        switch disturbance {
        case .sampleRatio?: facts.append("a running experiment: expect its sample ratio to break")
        case .population?: facts.append("a running experiment: other visitors than before are let in")
        case .assignment?:
            facts.append("a running experiment: visitors without a stored decision get another variation")
        case .ended?: facts.append("a running experiment: it ends")
        case .renamed?, nil: break
        }
        if let dependence {
            let own = dependence.hasOwnEdits ? "together with its own edits, " : ""
            facts.append(
                "changed by \(dependence.dependsOn.joined(separator: ", ")): \(own)\(dependence.change.words)")
            if dependence.newVisitors != dependence.change, dependence.change != .undecided {
                facts.append("for new visitors alone, \(dependence.newVisitors.words)")
            }
            if let before = dependence.admittedBefore, let after = dependence.admittedAfter {
                facts.append(
                    "lets in \(Self.percent(before)) → \(Self.percent(after)) of the new visitors who meet its rules")
            }
        }
        if audience != .equivalent { facts.append("visitors let in: \(audience.rawValue)") }
        if storedAudience != audience {
            facts.append("visitors with a stored decision: \(storedAudience.rawValue)")
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
                ("stays in", storedEnters, entersEnvironment), ("drops out", storedLeaves, leavesEnvironment),
            ]
        }
        return found.compactMap { label, visitor, environment in
            visitor.map { (label + (environment.map { " (environment \($0))" } ?? ""), $0) }
        }
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
    /// - Parameter visitorCount: the visitors of the population, if there is one.
    package func facts(ofVisitors visitorCount: Int?) -> [String] {
        var facts = lostKey.map { ["calls by the \(oldKey == nil ? "" : "old ")key '\($0)' get nothing"] } ?? []
        if values.isEmpty, !experiences.isEmpty { facts.append("in \(experiences.joined(separator: ", "))") }
        if let population, let visitorCount, population.moved + population.unknowable > 0 {
            facts.append(
                "of the population: \(population.moved) of \(visitorCount)"
                    + DecisionReplay.unknowableText(population.unknowable))
        }
        return facts
    }
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

extension ConfigDifference.Goal {
    /// What becomes of it, as a sentence.
    package var fact: String {
        key.map { "goal \(oldKey) is called \($0) now; conversions tracked as '\(oldKey)' no longer count" }
            ?? "goal \(oldKey) is gone; conversions tracked with its key no longer count"
    }
}
