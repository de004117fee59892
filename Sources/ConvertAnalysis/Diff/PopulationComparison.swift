internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Counts the differences between two configs for the visitors of a population.
struct PopulationComparison: Sendable {
    /// The decisions of one config for a line of a log.
    struct Answers {
        /// The keys of variations, by the places of experiences in the difference.
        var variations: [Int: PropertyKey] = [:]
        /// The places of experiences whose decision depends on data that the line withholds.
        var unknowable: Set<Int> = []
        /// The features that the visitor has, by their keys.
        var features: [PropertyKey: JSValue] = [:]
        /// The keys of features whose value depends on data that the line withholds.
        var unknowableFeatures: Set<PropertyKey> = []
        /// The keys of features that the line asks for.
        var askedFeatures: Set<PropertyKey> = []
    }

    /// The counts, by the places of experiences in the difference. The tallies of a population's parts add up to the
    /// tally of the whole.
    struct Tally: Sendable {
        /// The results of reading the records.
        var records = RecordTally()
        /// The number of a log's lines that do not have the visitor's id.
        var unknowableCount = 0
        fileprivate var visitorCount = 0
        /// The hashes of a log's visitors, each of whom may have several lines.
        fileprivate var visitors: Set<UInt64> = []
        /// For each experience, the hashes of these visitors, by their old and new variation.
        fileprivate var changes: [Int: [VariationRoute: Set<UInt64>]] = [:]
        /// For each experience, the visitors with a line that withholds data that decides it, as hashes.
        fileprivate var unknowable: [Int: Set<UInt64>] = [:]
        /// For each feature, the visitors for whom it changes, as hashes.
        fileprivate var featureChanges: [PropertyKey: Set<UInt64>] = [:]
        /// For each feature, the visitors with a line that withholds data that decides it, as hashes.
        fileprivate var unknowableFeatures: [PropertyKey: Set<UInt64>] = [:]
        /// The features that at least one line of a log asks for.
        fileprivate var askedFeatures: Set<PropertyKey> = []
        /// For each feature, the number of a population's visitors for whom it changes.
        fileprivate var featureMoves: [PropertyKey: Int] = [:]
        /// For each experience, the numbers of a population's visitors, by their old and new variation.
        fileprivate var routes: [Int: [VariationRoute: Int]] = [:]
        /// The maximum number of hashes in all sets. Beyond it, half of the visitors are forgotten, then half of the
        /// rest, and so on. The hashes alone decide which visitors stay.
        private let hashLimit: Int
        /// The number of times that half of the visitors were forgotten.
        private(set) var halvings = 0

        init(hashLimit: Int = 3_000_000) { self.hashLimit = hashLimit }

        private var hashCount: Int {
            let routes = changes.values.flatMap(\.values)
            let features = [featureChanges, unknowableFeatures].flatMap(\.values)
            let sets = [visitors] + unknowable.values + features + routes
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
            for (place, routes) in next.changes {
                for (route, visitors) in routes { changes[place, default: [:]][route, default: []].formUnion(visitors) }
            }
            unknowable.merge(next.unknowable) { $0.union($1) }
            featureChanges.merge(next.featureChanges) { $0.union($1) }
            unknowableFeatures.merge(next.unknowableFeatures) { $0.union($1) }
            askedFeatures.formUnion(next.askedFeatures)
            featureMoves.merge(next.featureMoves, uniquingKeysWith: +)
            routes.merge(next.routes) { $0.merging($1, uniquingKeysWith: +) }
        }
    }

    private let old: ExperienceManager
    private let new: ExperienceManager
    /// The places of the old config's experiences in the difference.
    let oldPlaces: DifferencePlaces
    /// The places of the new config's experiences in the difference.
    let newPlaces: DifferencePlaces
    /// The new keys of experiences, by their old keys.
    private let newKeys: [PropertyKey: PropertyKey]
    /// The new names of variations, by the places of their experiences.
    private let newNames: [VariationNames]
    /// The keys of the features to count, as calls ask for them.
    let features: [PropertyKey]
    /// The places of ended experiences, for which visitors who keep their variation are counted.
    private let ended: Set<Int>
    let storedNames: StoredNames

    /// - Parameters:
    ///   - old: the old config.
    ///   - new: the new config.
    ///   - semantics: the semantics of both configs.
    ///   - environment: the environment to decide in.
    ///   - difference: the differences of the configs.
    init(
        old: ProjectConfig, new: ProjectConfig, semantics: RuleSemantics, environment: String,
        difference: ConfigDifference
    ) {
        features = difference.features.map(\.askedKey)
        let experiences = difference.experiences
        ended = Set(experiences.indices.filter { experiences[$0].disturbance == .ended })
        oldPlaces = DifferencePlaces(of: old, ids: experiences.map(\.oldID))
        newPlaces = DifferencePlaces(of: new, ids: experiences.map(\.newID))
        storedNames = StoredNames(old)
        let options = CompilationOptions(semantics: semantics)
        self.old = ExperienceManager(project: Project(old, options: options), environment: environment)
        self.new = ExperienceManager(project: Project(new, options: options), environment: environment)
        let oldOnes = Dictionary(firstOf: old.experiences.map { ($0.id.key, $0) })
        let newOnes = Dictionary(firstOf: new.experiences.map { ($0.id.key, $0) })
        newNames = experiences.map { experience in
            VariationNames(experience.oldID.flatMap { oldOnes[$0] }, experience.newID.flatMap { newOnes[$0] })
        }
        // Calls find only the first experience with a key.
        newKeys = Dictionary(firstOf: old.experiences.map { ($0.entityKey.lookUp, newOnes[$0.id.key]) })
            .compactMapValues { $0?.entityKey.lookUp }
    }

    /// Decides all experiences of both configs for a visitor.
    ///
    /// - Parameters:
    ///   - person: the visitor.
    ///   - tally: the counts to update.
    func count(_ person: PopulationVisitor, _ tally: inout Tally) {
        tally.visitorCount += 1
        let answers = (
            old: Self.answers(of: old, for: person, oldPlaces), new: Self.answers(of: new, for: person, newPlaces)
        )
        forEachChange(from: answers.old, to: answers.new) { place, route in
            tally.routes[place, default: [:]][route, default: 0] += 1
        }
        if features.isEmpty { return }
        let (before, after) = (Self.features(of: old, for: person), Self.features(of: new, for: person))
        for key in features where renamed(before[key] ?? .null) != after[key] ?? .null {
            tally.featureMoves[key, default: 0] += 1
        }
    }

    /// A visitor's values of all features, by their keys.
    static func features(of manager: ExperienceManager, for person: PopulationVisitor) -> JSObject {
        var visitor = manager.visitor(person)
        return FeatureManager(experiences: manager).features(for: &visitor, options: person.options()).value.logged
    }

    /// Counts the differences between the configs for a line of a log.
    ///
    /// - Parameters:
    ///   - before: the decisions of the old config.
    ///   - after: the decisions of the new config.
    ///   - visitor: the hash of the visitor's id.
    ///   - tally: the counts to update.
    func count(_ before: Answers, _ after: Answers, visitor: UInt64, _ tally: inout Tally) {
        tally.visitors.insert(visitor)
        let unknowable = before.unknowable.union(after.unknowable)
        for place in unknowable { tally.unknowable[place, default: []].insert(visitor) }
        forEachChange(from: before.variations, to: after.variations) { place, route in
            if unknowable.contains(place) { return }
            tally.changes[place, default: [:]][route, default: []].insert(visitor)
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

    /// The value of a feature in the old config, with the new keys of experiences.
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

    private func forEachChange(
        from before: [Int: PropertyKey], to after: [Int: PropertyKey], _ body: (Int, VariationRoute) -> Void
    ) {
        for place in Set(before.keys).union(after.keys) {
            let (first, second) = (before[place], after[place])
            let isKept = first.map(newNames[place].name) == second
            if !isKept {
                body(place, VariationRoute(from: first, to: second))
            } else if ended.contains(place) {
                body(place, VariationRoute(from: second, to: second))
            }
        }
    }

    private static func answers(
        of manager: ExperienceManager, for person: PopulationVisitor, _ places: DifferencePlaces
    ) -> [Int: PropertyKey] {
        var visitor = manager.visitor(person)
        var answers: [Int: PropertyKey] = [:]
        manager.forEachConclusion(for: &visitor, options: person.options()) { conclusion in
            guard let selection = conclusion.selection else { return }
            let key = manager.project.config.experiences[selection.experience].entityKey.lookUp
            guard let place = places[key: key] else { return }
            let variation = BucketedVariation(selection, in: manager.project)
            answers[place] = PropertyKey(variation.variationKey ?? variation.variationID)
        }
        return answers
    }
}

extension PopulationComparison.Tally {
    /// Stores the counts in `difference`.
    func report(in difference: inout ConfigDifference) {
        // Each kept hash stands for this number of visitors.
        let weight = 1 << halvings
        difference.visitorCount = visitorCount + visitors.count * weight
        if halvings > 0 { difference.sampledOneIn = weight }
        for index in difference.experiences.indices {
            let all = routes[index] ?? changes[index]?.mapValues { $0.count * weight } ?? [:]
            let counts = all.filter { !$0.key.isKept }
            let isEnded = difference.experiences[index].disturbance == .ended
            let moves = counts.map { route, count in
                ConfigDifference.Population.Move(from: route.from?.name, to: route.to?.name, count: count)
            }.sorted { ($1.count, $0.from ?? "", $0.to ?? "") < ($0.count, $1.from ?? "", $1.to ?? "") }
            let movers = changes[index].map { changes in
                changes.filter { !$0.key.isKept }.values.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
            }
            // If no visitor's answer changes, withheld data cannot hide a change.
            let isChanged = difference.experiences[index].changesAnswers
            let unknowable = isChanged ? (unknowable[index] ?? []).subtracting(movers ?? []).count * weight : 0
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
    /// The key by which calls asked for it before the change.
    fileprivate var askedKey: PropertyKey { PropertyKey(oldKey ?? key) }
}
