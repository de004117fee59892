internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The share of new visitors that an experience is left by the experiences whose visitors it excludes, if the share is
/// at most ``most``.
///
/// The share counts the visitors who meet the other conditions of the experience. Only bucket values decide it, once it
/// is known which conditions of the other experiences the visitor meets.
struct VisitorsLeft {
    /// One visitor of a hundred.
    static let most = 0.01

    /// The maximum number of conditions of other experiences that visitors may meet or not.
    private static let mostConditions = 12

    /// The greatest share among all visitors.
    private(set) var share = 0.0
    /// Whether all visitors have the same share.
    private(set) var isExact = true
    /// The environments with such a share; `nil` if it is the same in all of them.
    private(set) var environments: [String]?

    private typealias Shares = (least: Double, greatest: Double)

    /// `nil` if the share is greater, or too hard to compute.
    init?(to experience: ProjectConfig.Experience, _ entrances: EntryFormulas, _ search: VisitorSearch) {
        let graph = entrances.graph
        let questions = graph.questions(of: experience)
        guard
            experience.audienceMatching == .all || graph.audiencePlaces(of: experience, isBucketed: false).count == 1,
            Self.mayLeaveFew(questions, graph, search.semantics)
        else { return nil }
        var left: [Formula] = []
        var required: [Formula] = []
        for question in questions {
            guard question.isDecidedBefore else {
                // A new visitor is in no later experience.
                if question.letsIn { return nil }
                continue
            }
            guard let other = graph.experience(id: question.id) else { return nil }
            let entry = entrances.entry(of: other, stored: .none)
            guard entry.isExact else { return nil }
            if question.keepsOut { left.append(entry.formula.negated) }
            if question.letsIn { required.append(entry.formula) }
        }
        let part = Part(left: .everyReduced(left), required: .everyReduced(required))
        guard part.conditions.count <= Self.mostConditions else { return nil }
        let rules = entrances.otherRules(of: experience)
        let names = experience.environmentName.map { [$0] } ?? part.environments + [""]
        var found: [(name: String, shares: Shares)] = []
        var hasOthers = false
        for name in names {
            let environment = Formula.literal(.init(proposition: .environment(PropertyKey(name)), isWanted: true))
            guard let shares = Self.shares(part, given: [rules, environment], in: name, search) else {
                hasOthers = true
                continue
            }
            found.append((name, shares))
        }
        // What is not named is any other environment.
        found = hasOthers ? found.filter { !$0.name.isEmpty } : found
        guard let least = found.map(\.shares.least).min(), let greatest = found.map(\.shares.greatest).max() else {
            return nil
        }
        (share, isExact) = (greatest, greatest - least < 1e-9)
        environments = hasOthers ? found.map(\.name) : nil
    }

    /// Whether the excluded experiences have enough bucket values to leave few.
    private static func mayLeaveFew(
        _ questions: ExperienceQuestions, _ graph: ExperienceGraph, _ semantics: RuleSemantics
    ) -> Bool {
        var taken = 0.0
        for question in questions where question.keepsOut && question.isDecidedBefore {
            guard let other = graph.experience(id: question.id) else { continue }
            taken += BucketRuns(other, under: semantics).takenShare
        }
        return taken >= 100 * (1 - most) - 1e-6
    }

    /// The shares of visitors who meet `given`; `nil` if one is greater than ``most``, or too hard to compute.
    private static func shares(
        _ part: Part, given: [Formula], in environment: String, _ search: VisitorSearch
    ) -> Shares? {
        guard let condition = part.conditions.first else { return part.share(in: environment, search.budget) }
        var result: Shares?
        for isMet in [true, false] {
            let literal = Formula.literal(.init(proposition: condition, isWanted: isMet))
            if search.isImpossible(given + [literal]) { continue }
            let rest = part.assuming(condition, isMet)
            // No visitor is left to count.
            if rest.required.known == false { continue }
            guard let shares = shares(rest, given: given + [literal], in: environment, search) else { return nil }
            result = (min(result?.least ?? 1, shares.least), max(result?.greatest ?? 0, shares.greatest))
        }
        return result
    }
}

extension VisitorsLeft {
    /// What an experience asks about others.
    private struct Part {
        /// The condition that no excluded experience takes the visitor.
        let left: Formula
        /// The condition that every required experience takes the visitor.
        let required: Formula

        func assuming(_ proposition: Formula.Proposition, _ truth: Bool) -> Part {
            Part(left: left.assuming(proposition, truth), required: required.assuming(proposition, truth))
        }

        /// The propositions about more than bucket values and the environment, in order.
        var conditions: [Formula.Proposition] {
            propositions.filter { proposition in
                switch proposition {
                case .bucket, .environment: false
                case .condition, .storedDecision, .customSegment: true
                }
            }
        }

        /// The names of the environments that experiences run in.
        var environments: [String] {
            propositions.compactMap { if case .environment(let name) = $0 { name.text } else { nil } }.sorted()
        }

        private var propositions: [Formula.Proposition] {
            var known: Set<Formula.Proposition> = []
            var found: [Formula.Proposition] = []
            for formula in [left, required] {
                formula.forEachProposition { if known.insert($0).inserted { found.append($0) } }
            }
            return found
        }

        /// The share in an environment; `nil` if it is greater than ``most``, or too hard to compute.
        func share(in environment: String, _ budget: AnalysisBudget) -> Shares? {
            guard
                let share = AdmissionShares(
                    from: left, to: left, of: required, environment: environment, budget)?.before,
                share <= most + 1e-9
            else { return nil }
            return (share, share)
        }
    }
}

extension Formula {
    /// The formula for visitors for whom a proposition is known.
    fileprivate func assuming(_ proposition: Proposition, _ truth: Bool) -> Formula {
        switch self {
        case .literal(let literal):
            literal.proposition == proposition ? Formula(literal.isWanted == truth) : self
        case .all(let parts): .every(parts.map { $0.assuming(proposition, truth) })
        case .any(let parts): .some(parts.map { $0.assuming(proposition, truth) })
        }
    }

    fileprivate func forEachProposition(_ body: (Proposition) -> Void) {
        switch self {
        case .literal(let literal): body(literal.proposition)
        case .all(let parts), .any(let parts): for part in parts { part.forEachProposition(body) }
        }
    }
}
