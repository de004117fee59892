internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Counts what a population's visitors get from two configs.
struct PopulationComparison: Sendable {
    private typealias Managers = (old: ExperienceManager, new: ExperienceManager)

    /// What one config decides for a line of a log.
    struct Answers {
        /// The variations by the keys of experiences.
        var variations: [PropertyKey: PropertyKey] = [:]
        /// The keys of experiences that something decides which the line withholds.
        var unknowable: Set<PropertyKey> = []
        /// What the visitor has of features, by their keys.
        var features: [PropertyKey: JSValue] = [:]
        /// The keys of features that something decides which the line withholds.
        var unknowableFeatures: Set<PropertyKey> = []
        /// The keys of features that the line asks for.
        var askedFeatures: Set<PropertyKey> = []
    }

    fileprivate struct Route: Hashable {
        let from: PropertyKey?
        let to: PropertyKey?

        /// Whether the variation is the same.
        var isKept: Bool { from == to }
    }

    /// What was counted. Tallies of parts of a population add up to that of the whole.
    struct Tally: Sendable {
        /// What came of the records.
        var records = RecordTally()
        /// Number of lines of a log that do not have the visitor's id.
        var unknowableCount = 0
        fileprivate var visitorCount = 0
        /// The hashes of visitors in a log, where one may have several lines.
        fileprivate var visitors: Set<UInt64> = []
        /// Of each experience the changes of such visitors, as hashes of both.
        fileprivate var changes: [PropertyKey: [Route: Set<UInt64>]] = [:]
        /// Of each experience such visitors with a line that withholds what decides it, as hashes.
        fileprivate var unknowable: [PropertyKey: Set<UInt64>] = [:]
        /// Of each feature such visitors who get something else, as hashes.
        fileprivate var featureChanges: [PropertyKey: Set<UInt64>] = [:]
        /// Of each feature such visitors with a line that withholds what decides it, as hashes.
        fileprivate var unknowableFeatures: [PropertyKey: Set<UInt64>] = [:]
        /// The features that some line of a log asks for.
        fileprivate var askedFeatures: Set<PropertyKey> = []
        /// Of each feature how many visitors of a population get something else.
        fileprivate var featureMoves: [PropertyKey: Int] = [:]
        /// By the experience's key in the new config, or else in the old one.
        fileprivate var routes: [PropertyKey: [Route: Int]] = [:]
        /// How many hashes all sets keep together. Beyond it half of the visitors are forgotten, then half of the rest,
        /// and so on: which ones depends on the hashes alone.
        private let hashLimit: Int
        /// How often the visitors were halved.
        private(set) var halvings = 0

        init(hashLimit: Int = 3_000_000) { self.hashLimit = hashLimit }

        private var hashCount: Int {
            let routes = changes.values.flatMap(\.values)
            let sets = [visitors] + [unknowable, featureChanges, unknowableFeatures].flatMap(\.values) + routes
            return sets.reduce(0) { $0 + $1.count }
        }

        private mutating func halve(times: Int) {
            guard times > halvings else { return }
            halvings = times
            let mask = UInt64(1) << UInt64(times) - 1
            func kept(_ hashes: Set<UInt64>) -> Set<UInt64> { hashes.filter { $0 & mask == 0 } }
            visitors = kept(visitors)
            changes = changes.mapValues { $0.mapValues(kept) }
            unknowable = unknowable.mapValues(kept)
            featureChanges = featureChanges.mapValues(kept)
            unknowableFeatures = unknowableFeatures.mapValues(kept)
        }

        /// Adds the tally of the next part.
        mutating func add(_ next: Tally) {
            var next = next
            halve(times: next.halvings)
            next.halve(times: halvings)
            defer { while hashCount > hashLimit { halve(times: halvings + 1) } }
            records.add(next.records)
            unknowableCount += next.unknowableCount
            visitorCount += next.visitorCount
            visitors.formUnion(next.visitors)
            for (key, routes) in next.changes {
                for (route, visitors) in routes { changes[key, default: [:]][route, default: []].formUnion(visitors) }
            }
            unknowable.merge(next.unknowable) { $0.union($1) }
            featureChanges.merge(next.featureChanges) { $0.union($1) }
            unknowableFeatures.merge(next.unknowableFeatures) { $0.union($1) }
            askedFeatures.formUnion(next.askedFeatures)
            featureMoves.merge(next.featureMoves, uniquingKeysWith: +)
            routes.merge(next.routes) { $0.merging($1, uniquingKeysWith: +) }
        }
    }

    private let oldProject: Project
    private let newProject: Project
    private let environment: String
    private let managers = BoundedCache<String, Managers>(limit: 32)
    /// The new keys of experiences that were renamed.
    private let newKeys: [PropertyKey: PropertyKey]
    /// What variations are called now, by the experiences' new keys.
    private let newNames: [PropertyKey: VariationNames]
    /// The keys of features, by which calls ask for them, that visitors are counted for.
    let features: [PropertyKey]
    /// The keys of experiences that ended, of which visitors count who keep their variation.
    private let ended: Set<PropertyKey>
    let storedNames: StoredNames

    /// - Parameters:
    ///   - old: the old config.
    ///   - new: the new config.
    ///   - semantics: those that both decide under.
    ///   - environment: where visitors are decided.
    ///   - difference: what differs.
    init(
        old: ProjectConfig, new: ProjectConfig, semantics: RuleSemantics, environment: String,
        difference: ConfigDifference
    ) {
        features = difference.features.map(\.askedKey)
        ended = Set(difference.experiences.filter { $0.disturbance == .ended }.map { PropertyKey($0.key) })
        storedNames = StoredNames(old)
        let options = CompilationOptions(semantics: semantics)
        oldProject = Project(old, options: options)
        newProject = Project(new, options: options)
        self.environment = environment
        let olds = Dictionary(old.experiences.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
        newNames = Dictionary(
            new.experiences.map { ($0.entityKey.lookUp, VariationNames(olds[$0.id.key], $0)) },
            uniquingKeysWith: { first, _ in first })
        let keys = Dictionary(
            new.experiences.map { ($0.id.key, $0.entityKey.lookUp) }, uniquingKeysWith: { first, _ in first })
        newKeys = Dictionary(
            old.experiences.compactMap { experience in keys[experience.id.key].map { (experience.entityKey.lookUp, $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Decides all experiences of both configs for a visitor.
    ///
    /// - Parameters:
    ///   - person: the visitor.
    ///   - environment: the environment to decide in, if it is another one than the population's.
    ///   - tally: what is counted.
    func count(_ person: PopulationVisitor, in environment: String? = nil, _ tally: inout Tally) {
        tally.visitorCount += 1
        let (old, new) = managers(in: environment ?? self.environment)
        forEachChange(from: named(Self.answers(of: old, for: person)), to: Self.answers(of: new, for: person)) {
            key, route in
            tally.routes[key, default: [:]][route, default: 0] += 1
        }
        if features.isEmpty { return }
        let (before, after) = (Self.features(of: old, for: person), Self.features(of: new, for: person))
        for key in features where renamed(before[key] ?? .null) != after[key] ?? .null {
            tally.featureMoves[key, default: 0] += 1
        }
    }

    /// What a visitor has of all features, by their keys.
    static func features(of manager: ExperienceManager, for person: PopulationVisitor) -> JSObject {
        var visitor = manager.visitor(person)
        return FeatureManager(experiences: manager).features(for: &visitor, options: person.options()).value.logged
    }

    /// Counts what a line of a log gets from both configs.
    ///
    /// - Parameters:
    ///   - before: what the old config decides.
    ///   - after: what the new one decides.
    ///   - visitor: the hash of the visitor's id.
    ///   - tally: what is counted.
    func count(_ before: Answers, _ after: Answers, visitor: UInt64, _ tally: inout Tally) {
        tally.visitors.insert(visitor)
        let unknowable = Set(before.unknowable.map { newKeys[$0] ?? $0 }).union(after.unknowable)
        for key in unknowable { tally.unknowable[key, default: []].insert(visitor) }
        forEachChange(from: named(before.variations), to: after.variations) { key, route in
            if unknowable.contains(key) { return }
            tally.changes[key, default: [:]][route, default: []].insert(visitor)
        }
        let unknowableFeatures = before.unknowableFeatures.union(after.unknowableFeatures)
        let asked = before.askedFeatures.union(after.askedFeatures)
        tally.askedFeatures.formUnion(asked)
        for key in features where asked.contains(key) {
            if unknowableFeatures.contains(key) {
                tally.unknowableFeatures[key, default: []].insert(visitor)
            } else if before.features[key].map(renamed) != after.features[key] {
                tally.featureChanges[key, default: []].insert(visitor)
            }
        }
    }

    /// A feature as the old config gives it, with the keys that the experiences have now.
    private func renamed(_ feature: JSValue) -> JSValue {
        guard case .array(let entries) = feature else { return feature }
        return .array(
            entries.map { entry in
                guard var object = entry.objectValue, let key = object["experience"]?.stringValue,
                    let newKey = newKeys[PropertyKey(key)]
                else { return entry }
                object["experience"] = .string(newKey.name)
                return .object(object)
            })
    }

    /// The answers of the old config by the keys that the experiences have now.
    private func named(_ answers: [PropertyKey: PropertyKey]) -> [PropertyKey: PropertyKey] {
        Dictionary(answers.map { (newKeys[$0] ?? $0, $1) }, uniquingKeysWith: { first, _ in first })
    }

    private func forEachChange(
        from before: [PropertyKey: PropertyKey], to after: [PropertyKey: PropertyKey],
        _ body: (PropertyKey, Route) -> Void
    ) {
        for key in Set(before.keys).union(after.keys) {
            let (first, second) = (before[key], after[key])
            let isKept = first.map { newNames[key]?.name($0) ?? $0 } == second
            if !isKept {
                body(key, Route(from: first, to: second))
            } else if ended.contains(key) {
                body(key, Route(from: second, to: second))
            }
        }
    }

    private func managers(in name: String) -> Managers {
        managers.value(for: name) {
            (
                ExperienceManager(project: oldProject, environment: name),
                ExperienceManager(project: newProject, environment: name)
            )
        }
    }

    private static func answers(
        of manager: ExperienceManager, for person: PopulationVisitor
    ) -> [PropertyKey: PropertyKey] {
        var visitor = manager.visitor(person)
        var answers: [PropertyKey: PropertyKey] = [:]
        for decision in manager.selectVariations(for: &visitor, options: person.options()).value {
            guard let variation = decision.variation else { continue }
            answers[PropertyKey(variation.experienceKey)] = PropertyKey(
                variation.variationKey ?? variation.variationID)
        }
        return answers
    }

}

extension PopulationComparison.Tally {
    /// Says in `difference` what was counted.
    func report(in difference: inout ConfigDifference) {
        // Each visitor whose hash was kept counts for this number of visitors.
        let weight = 1 << halvings
        difference.visitorCount = visitorCount + visitors.count * weight
        if halvings > 0 { difference.sampledOneIn = weight }
        for index in difference.experiences.indices {
            let key = PropertyKey(difference.experiences[index].key)
            let all = routes[key] ?? changes[key]?.mapValues { $0.count * weight } ?? [:]
            let counts = all.filter { !$0.key.isKept }
            let isEnded = difference.experiences[index].disturbance == .ended
            let moves = counts.map { route, count in
                ConfigDifference.Population.Move(from: route.from?.name, to: route.to?.name, count: count)
            }.sorted { ($1.count, $0.from ?? "", $0.to ?? "") < ($0.count, $1.from ?? "", $1.to ?? "") }
            let movers = changes[key].map { changes in
                changes.filter { !$0.key.isKept }.values.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
            }
            // Where no answer changes, none does for these visitors.
            let isChanged = difference.experiences[index].changesAnswers
            let unknowable = isChanged ? (unknowable[key] ?? []).subtracting(movers ?? []).count * weight : 0
            difference.experiences[index].population = ConfigDifference.Population(
                moved: movers.map { $0.count * weight } ?? counts.values.reduce(0, +),
                kept: isEnded ? all.filter(\.key.isKept).values.reduce(0, +) : nil, moves: moves,
                unknowable: unknowable)
        }
        for index in difference.features.indices {
            let key = difference.features[index].askedKey
            guard visitors.isEmpty || askedFeatures.contains(key) else { continue }
            let movers = featureChanges[key] ?? []
            difference.features[index].population = ConfigDifference.Feature.Population(
                moved: movers.count * weight + (featureMoves[key] ?? 0),
                unknowable: (unknowableFeatures[key] ?? []).subtracting(movers).count * weight)
        }
    }
}

extension ConfigDifference.Feature {
    /// The key by which calls of before the release ask for it.
    fileprivate var askedKey: PropertyKey { PropertyKey(oldKey ?? key) }
}
