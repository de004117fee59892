internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A part of the comparison of two configs, based on the visitors whom experiences let in.
protocol EntranceComparing {
    var entrances: EntranceComparison { get }
}

extension EntranceComparing {
    var old: EntranceComparison.Side { entrances.old }
    var new: EntranceComparison.Side { entrances.new }
    var search: VisitorSearch { entrances.search }
    var budget: AnalysisBudget { search.budget }
}

/// Compares the visitors that an experience lets in before and after.
struct EntranceComparison {
    /// One of the two configs.
    struct Side {
        let project: Project
        let entrances: EntryFormulas
    }

    /// The change of the set of visitors that an experience lets in, with visitors that show it.
    struct Change {
        var change = ConfigDifference.AudienceChange.equivalent
        var enters: Example?
        var leaves: Example?
    }

    /// A visitor who shows a change.
    struct Example {
        let visitor: PopulationVisitor
        /// The environment in which the visitor shows the change; `nil` if the environment does not matter.
        let environment: String?

        init?(_ visitor: PopulationVisitor?, in environment: String?) {
            guard let visitor else { return nil }
            self.visitor = visitor
            self.environment = environment
        }
    }

    private enum Witness {
        case none, undecided
        case found(Example)

        /// Whether a visitor was found; `nil` if that is undecided.
        var isFound: Bool? {
            switch self {
            case .none: false
            case .undecided: nil
            case .found: true
            }
        }

        var example: Example? { if case .found(let example) = self { example } else { nil } }
    }

    let old: Side
    let new: Side
    let search: VisitorSearch

    /// The names of environments to try: those of both projects, or the usual ones.
    var environments: [String] {
        let declared = old.project.config.declaredEnvironments + new.project.config.declaredEnvironments
        let usual = EngineTrial.usualEnvironment
        if declared.isEmpty { return [usual, "production"] }
        return (declared.filter { $0.hasSameCodeUnits(as: usual) } + declared).uniqueNames
    }

    /// The change for visitors without a stored decision. A `nil` experience lets in no visitor.
    func change(from before: ProjectConfig.Experience?, to after: ProjectConfig.Experience?) -> Change {
        let first = before.map { old.entrances.gates(of: $0) } ?? .fails
        let second = after.map { new.entrances.gates(of: $0) } ?? .fails
        if first == second { return Change() }
        let (leaving, entering) = (Formula(isOpen(before, old)), Formula(isOpen(after, new)))
        return change(first, second, leaving: leaving, entering: entering) { model, isEntering in
            let (inside, outside) = isEntering ? ((after, new), (before, old)) : ((before, old), (after, new))
            return Example(
                visitor(as: model, in: inside, notIn: outside), in: (isEntering ? after : before)?.environmentName)
        }
    }

    /// Whether the environment and the traffic of an experience let in visitors, whatever its rules say. Visitors with
    /// a stored decision need no traffic.
    private func isOpen(_ experience: ProjectConfig.Experience?, _ side: Side, isStored: Bool = false) -> Bool {
        guard let experience, side.project.config.runsSomewhere(experience) else { return false }
        return isStored || side.entrances.room(of: experience) != .fails
    }

    /// The change for visitors with a stored decision, apart from the variation that they get. An added experience has
    /// no such visitors.
    func changeOfStored(from before: ProjectConfig.Experience?, to after: ProjectConfig.Experience?) -> Change {
        guard let before else { return Change() }
        let semantics = search.semantics
        let first = old.entrances.gates(of: before, isBucketed: true)
        var result = Change()
        var known: Set<Bool> = []
        let places = VariationIndex(before, under: semantics)
        let newPlaces = after.flatMap { $0.id.key == before.id.key ? VariationIndex($0, under: semantics) : nil }
        for variation in before.variations {
            guard let id = variation.id?.key, places[id] != nil else { continue }
            // Visitors whose variation is gone are decided as if nothing were stored.
            let isKept = newPlaces?[id] != nil
            guard known.insert(isKept).inserted else { continue }
            let second = after.map { new.entrances.gates(of: $0, isBucketed: isKept) } ?? .fails
            if first == second { continue }
            let stored = Formula.literal(.init(proposition: .storedDecision(before.id.text), isWanted: true))
            let leaving = Formula(isOpen(before, old, isStored: true))
            let entering = Formula(isOpen(after, new, isStored: isKept))
            let next = change(first, second, leaving: leaving && stored, entering: entering && stored) {
                model, isEntering in
                Example(
                    visitor(storing: id.text, as: model, before, after, isEntering: isEntering),
                    in: (isEntering ? after : before)?.environmentName)
            }
            result = result.combined(with: next)
        }
        return result
    }

    /// The change from `first` to `second`, with examples built from the search's results.
    ///
    /// - Parameters:
    ///   - first: the old condition for visitors.
    ///   - second: the new condition for visitors.
    ///   - leaving: a further condition for the visitor who was let in before and is not now.
    ///   - entering: a further condition for the visitor who is let in now and was not before.
    func change(
        _ first: Formula, _ second: Formula, leaving: Formula = .holds, entering: Formula = .holds,
        _ example: (VisitorSearch.Model, _ isEntering: Bool) -> Example?
    ) -> Change {
        if first == second { return Change() }
        func witness(_ formulas: [Formula], isEntering: Bool) -> Witness {
            let condition = isEntering ? entering : leaving
            return switch search.run(formulas + (condition == .holds ? [] : [condition])) {
            case .impossible: .none
            case .undecided: .undecided
            case .found(let model): example(model, isEntering).map(Witness.found) ?? .undecided
            }
        }
        let enters = witness([second, first.negated], isEntering: true)
        let leaves = witness([first, second.negated], isEntering: false)
        return Change(
            change: ConfigDifference.AudienceChange(isEntered: enters.isFound, isLeft: leaves.isFound),
            enters: enters.example, leaves: leaves.example)
    }

    /// The visitor found by a search, if the engine lets the visitor in with one config and not with the other.
    private func visitor(
        as model: VisitorSearch.Model, in inside: (experience: ProjectConfig.Experience?, side: Side),
        notIn outside: (experience: ProjectConfig.Experience?, side: Side)
    ) -> PopulationVisitor? {
        guard let experience = inside.experience else { return nil }
        let replay = EngineTrial(inside.side.project, environment: experience.environmentName)
        // An experience lets visitors in even if no variation takes them.
        guard let visitor = replay.visitor(passingInto: experience, as: model) else { return nil }
        return isOut(visitor, of: outside) ? visitor : nil
    }

    /// The same as ``visitor(as:in:notIn:)``, for a visitor with a decision that the old config stored.
    private func visitor(
        storing id: String, as model: VisitorSearch.Model, _ before: ProjectConfig.Experience,
        _ after: ProjectConfig.Experience?, isEntering: Bool
    ) -> PopulationVisitor? {
        let replay = EngineTrial(old.project, environment: before.environmentName)
        guard isEntering else {
            return replay.visitor(keeping: id, of: before, as: model).flatMap {
                isOut($0, of: (after, new)) ? $0 : nil
            }
        }
        guard let after else { return nil }
        let visitor = replay.visitor(of: model, storing: id, for: before)
        let reason = EngineTrial(new.project, environment: after.environmentName).reason(for: visitor, in: after)
        return (reason?.isBehindTheGates ?? true) && isOut(visitor, of: (before, old)) ? visitor : nil
    }

    /// Whether a visitor does not pass an experience's entry conditions.
    private func isOut(_ visitor: PopulationVisitor, of outside: (experience: ProjectConfig.Experience?, side: Side))
        -> Bool
    {
        guard let experience = outside.experience else { return true }
        let replay = EngineTrial(outside.side.project, environment: experience.environmentName)
        return replay.reason(for: visitor, in: experience).map { !$0.isBehindTheGates } ?? false
    }
}

extension [String] {
    /// The names without repetitions. Composed and decomposed letters make two names.
    var uniqueNames: [String] {
        var known: Set<PropertyKey> = []
        return filter { known.insert(PropertyKey($0)).inserted }
    }
}

extension EntranceComparison.Change {
    /// Combines two changes into one for the visitors of both.
    func combined(with other: Self) -> Self {
        let all = [change, other.change]
        // The examples prove their directions, even if another question is undecided.
        let enters = enters ?? other.enters, leaves = leaves ?? other.leaves
        let isWider = all.contains(.wider), isNarrower = all.contains(.narrower)
        let change: ConfigDifference.AudienceChange =
            if all.contains(.changed) || isWider && isNarrower || enters != nil && leaves != nil {
                .changed
            } else if all.contains(.undecided) {
                .undecided
            } else if isWider { .wider } else if isNarrower { .narrower } else { .equivalent }
        return Self(change: change, enters: enters, leaves: leaves)
    }
}
