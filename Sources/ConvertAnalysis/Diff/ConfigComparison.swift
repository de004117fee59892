internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Compares two configs, experience by experience.
struct ConfigComparison {
    /// An experience of both configs, or of one of them.
    private struct Pair {
        let old: Experience?
        let new: Experience?
    }

    private let old: ProjectConfig
    private let new: ProjectConfig
    private let oldProject: Project
    private let newProject: Project
    private let oldArchive: VisitorReplay
    private let newArchive: VisitorReplay
    private let oldEntrances: Entrances
    private let newEntrances: Entrances
    private let search: VisitorSearch

    init(old: ProjectConfig, new: ProjectConfig, semantics: RuleSemantics, limits: AnalysisLimits) {
        self.old = old
        self.new = new
        let options = CompilationOptions(semantics: semantics)
        oldProject = Project(old, options: options)
        newProject = Project(new, options: options)
        oldArchive = VisitorReplay(oldProject, environment: nil)
        newArchive = VisitorReplay(newProject, environment: nil)
        let pool = ConditionPool(semantics: semantics, budget: AnalysisBudget(limits))
        oldEntrances = Entrances(old, pool: pool)
        newEntrances = Entrances(new, pool: pool)
        search = VisitorSearch(pool)
    }

    var difference: ConfigDifference {
        ConfigDifference(experiences: pairs.map(compare), features: FeatureComparison(oldProject, newProject).changes)
    }

    /// The experiences by id, or else by key; of several with one id the first counts.
    private var pairs: [Pair] {
        func firstOnes(_ config: ProjectConfig) -> [Experience] {
            var ids: Set<PropertyKey> = []
            return config.experiences.filter { ids.insert($0.id.key).inserted }
        }
        let (oldOnes, newOnes) = (firstOnes(old), firstOnes(new))
        let newIDs = Set(newOnes.map(\.id.key))
        let byID = Dictionary(oldOnes.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
        let byKey = Dictionary(
            oldOnes.filter { !newIDs.contains($0.id.key) }.map { ($0.entityKey.lookUp, $0) },
            uniquingKeysWith: { first, _ in first })
        var known: Set<PropertyKey> = []
        let pairs = newOnes.map { experience in
            let other = byID[experience.id.key] ?? byKey[experience.entityKey.lookUp]
            if let other { known.insert(other.id.key) }
            return Pair(old: other, new: experience)
        }
        return pairs + oldOnes.filter { !known.contains($0.id.key) }.map { Pair(old: $0, new: nil) }
    }

    private func compare(_ pair: Pair) -> ConfigDifference.Experience {
        let before = pair.old.flatMap { oldArchive.isArchived($0) ? nil : $0 }
        let after = pair.new.flatMap { newArchive.isArchived($0) ? nil : $0 }
        let moves = BucketMoves(from: before, to: after)
        let stored = BucketMoves(from: before, to: after, isStored: true)
        let (audience, enters, leaves) = compareEntrances(before, after)
        let names = [pair.old, pair.new].map { $0?.environmentText ?? "" }
        let isRenamed =
            pair.old.flatMap { before in pair.new.map { $0.entityKey != before.entityKey } } ?? false
        let reordered = self.reordered(before, after)
        let hasMoved = moves.moved > 0 || stored.moved > 0 || audience != .equivalent || !reordered.isEmpty
        let change: ConfigDifference.Change =
            switch (pair.old, pair.new) {
            case (nil, _): .added
            case (_, nil): .removed
            case _ where before != nil && after == nil: .archived
            case _ where before == nil && after != nil: .restored
            default: isRenamed ? .renamed : hasMoved || names[0] != names[1] ? .changed : .none
            }
        return ConfigDifference.Experience(
            key: pair.new?.key ?? pair.old?.key ?? "", oldKey: isRenamed ? pair.old?.key : nil, change: change,
            environments: before != nil && after != nil && names[0] != names[1] ? names : nil, moved: moves.moved,
            moves: moves.moves, storedMoved: stored.moved, storedMoves: stored.moves, audience: audience,
            enters: enters, leaves: leaves, reordered: reordered)
    }

    /// Keys of experiences that an experience asks about and that are decided on the other side of it than before.
    private func reordered(_ before: Experience?, _ after: Experience?) -> [String] {
        guard let before, let after else { return [] }
        let (first, second) = (oldEntrances.questions(of: before), newEntrances.questions(of: after))
        let moved = second.filter { now in
            first.contains { $0.id == now.id && $0.isDecidedBefore != now.isDecidedBefore }
        }
        return moved.map(\.key)
    }

    private func compareEntrances(
        _ before: Experience?, _ after: Experience?
    ) -> (ConfigDifference.AudienceChange, enters: PopulationVisitor?, leaves: PopulationVisitor?) {
        let first = before.map(oldEntrances.formula) ?? .fails
        let second = after.map(newEntrances.formula) ?? .fails
        if first == second { return (.equivalent, nil, nil) }
        let enters = witness(
            of: search.run([second, first.negated]), in: (after, newProject), notIn: (before, oldProject))
        let leaves = witness(
            of: search.run([first, second.negated]), in: (before, oldProject), notIn: (after, newProject))
        switch (enters, leaves) {
        case (.none, .none): return (.equivalent, nil, nil)
        case (.some(let visitor), .none): return (.wider, visitor, nil)
        case (.none, .some(let visitor)): return (.narrower, nil, visitor)
        case (.some(let entering), .some(let leaving)): return (.changed, entering, leaving)
        case (.some(let entering), .undecided): return (.undecided, entering, nil)
        case (.undecided, .some(let leaving)): return (.undecided, nil, leaving)
        case (.undecided, _), (_, .undecided): return (.undecided, nil, nil)
        }
    }

    private enum Witness {
        case none, undecided
        case some(PopulationVisitor)
    }

    /// The visitor whom a search found, if one config's engine lets them in and the other's does not.
    private func witness(
        of answer: VisitorSearch.Answer, in inside: (Experience?, Project), notIn outside: (Experience?, Project)
    ) -> Witness {
        switch answer {
        case .impossible: return .none
        case .undecided: return .undecided
        case .found(let model):
            guard let experience = inside.0 else { return .undecided }
            let replay = VisitorReplay(inside.1, environment: experience.environmentName)
            // An experience without room for anybody lets visitors in all the same.
            guard let visitor = replay.visitor(passingInto: experience, as: model) else { return .undecided }
            guard let other = outside.0 else { return .some(visitor) }
            let reason = VisitorReplay(outside.1, environment: other.environmentName).reason(
                for: visitor, in: other)
            return reason == nil || reason == .notBucketed ? .undecided : .some(visitor)
        }
    }
}
