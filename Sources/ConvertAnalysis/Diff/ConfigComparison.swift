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
    private let entrances: EntranceComparison
    private let oldArchive: VisitorReplay
    private let newArchive: VisitorReplay
    private let oldEntrances: Entrances
    private let newEntrances: Entrances
    private let semantics: RuleSemantics

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
        self.semantics = semantics
        entrances = EntranceComparison(
            old: EntranceComparison.Side(project: oldProject, entrances: oldEntrances),
            new: EntranceComparison.Side(project: newProject, entrances: newEntrances), search: VisitorSearch(pool))
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
        let moves = BucketMoves(from: before, to: after, under: semantics)
        let stored = BucketMoves(from: before, to: after, under: semantics, isStored: true)
        let audience = entrances.change(from: before, to: after)
        let storedAudience = entrances.changeOfStored(from: before, to: after)
        let names = [pair.old, pair.new].map { $0?.environmentText ?? "" }
        let isRenamed =
            pair.old.flatMap { before in pair.new.map { $0.entityKey != before.entityKey } } ?? false
        let reordered = self.reordered(before, after)
        let hasMoved =
            moves.moved > 0 || stored.moved > 0 || audience.change != .equivalent
            || storedAudience.change != .equivalent || !reordered.isEmpty
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
            moves: moves.moves, storedMoved: stored.moved, storedMoves: stored.moves, audience: audience.change,
            enters: audience.enters, leaves: audience.leaves, storedAudience: storedAudience.change,
            storedEnters: storedAudience.enters, storedLeaves: storedAudience.leaves, reordered: reordered)
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

}
