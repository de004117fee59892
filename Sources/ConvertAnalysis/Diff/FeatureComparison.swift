internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which features variations carry, and with which variables, before and after.
struct FeatureComparison {
    let changes: [ConfigDifference.Feature]

    /// What a feature goes by.
    private enum Name: Hashable {
        case key(PropertyKey)
        /// The id of an undeclared feature: a call for all features returns it without a key.
        case id(PropertyKey)

        var text: String {
            switch self {
            case .key(let key), .id(let key): key.name
            }
        }
    }

    /// A variation by its key and that of its experience, as the later config has them.
    private struct Arm: Hashable {
        let experience: PropertyKey
        let variation: PropertyKey
    }

    /// The keys of features by their ids.
    private typealias KeysByID = [PropertyKey: PropertyKey]

    /// What visitors of one variation get of a feature.
    private struct Given: Equatable {
        /// The variables as an app reads them, as JSON text; a list of these if the variation carries it several times.
        let variables: String
        /// Whether some new visitor gets the variation.
        let isDealt: Bool
    }

    /// What variations carry.
    private struct Carried {
        private(set) var given: [Name: [Arm: Given]] = [:]
        private(set) var names: [Name] = []
        private var known: Set<Name> = []

        /// - Parameters:
        ///   - project: the config.
        ///   - later: the config whose keys experiences and variations go by, where it has their ids.
        ///   - others: the features that the other config declares. Calls by their keys get nothing here, if this one
        ///     does not declare them.
        ///   - renamings: the later keys of features, by their keys.
        init(
            _ project: Project, namedAsIn later: Project, declaredElsewhere others: KeysByID,
            renamings: [PropertyKey: PropertyKey] = [:]
        ) {
            let config = project.config
            let archive = EngineTrial(project, environment: nil)
            let features = FeatureManager(experiences: ExperienceManager(project: project))
            func name(_ key: PropertyKey) -> Name { .key(renamings[key] ?? key) }
            for feature in config.features { note(name(feature.entityKey.lookUp)) }
            let laterOnes = Dictionary(
                later.config.experiences.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
            for (place, experience) in config.experiences.enumerated() where !archive.isArchived(experience) {
                let other = laterOnes[experience.id.key]
                let variationKeys = Dictionary(
                    other?.variations.compactMap { variation in variation.id.map { ($0.key, variation.key) } } ?? [],
                    uniquingKeysWith: { first, _ in first })
                let key = (other ?? experience).entityKey.lookUp
                let runs = BucketRuns(experience, under: project.options.semantics)
                for (index, variation) in experience.variations.enumerated() {
                    var found: [Name: [JSValue]] = [:]
                    for feature in features.features(carriedBy: index, of: place, castsTypes: true).features {
                        guard let id = feature.id.map({ PropertyKey($0) }) else { continue }
                        let featureName = feature.key.map { name(PropertyKey($0)) } ?? .id(id)
                        if feature.key == nil, others[id] != nil { continue }
                        note(featureName)
                        found[featureName, default: []].append(feature.variables ?? .null)
                    }
                    let variationKey = variation.id.flatMap { variationKeys[$0.key] ?? nil } ?? variation.key
                    let arm = Arm(
                        experience: key, variation: PropertyKey(variationKey ?? variation.id?.text ?? ""))
                    let isDealt = !runs.isUnreachable(index) && experience.environment != .nowhere
                    for (name, variables) in found {
                        let value = variables.count == 1 ? variables[0] : .array(variables)
                        given[name, default: [:]][arm] = Given(
                            variables: ECMAScript.jsonText(keepingNumbersOf: value), isDealt: isDealt)
                    }
                }
            }
        }

        func has(_ name: Name) -> Bool { known.contains(name) }

        private mutating func note(_ name: Name) {
            if known.insert(name).inserted { names.append(name) }
        }
    }

    init(_ old: Project, _ new: Project) {
        let renamings = Self.renamings(from: old, to: new)
        let before = Carried(old, namedAsIn: new, declaredElsewhere: Self.keys(of: new), renamings: renamings)
        let after = Carried(new, namedAsIn: new, declaredElsewhere: Self.keys(of: old))
        let oldKeys = Dictionary(renamings.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let names = after.names + before.names.filter { !after.has($0) }
        changes = names.compactMap { name in
            let (first, second) = (before.given[name] ?? [:], after.given[name] ?? [:])
            let oldKey: String? = if case .key(let key) = name { oldKeys[key]?.name } else { nil }
            let change: ConfigDifference.Change
            switch (before.has(name), after.has(name)) {
            case (false, _): change = .added
            case (_, false): change = .removed
            case (true, true): change = oldKey != nil ? .renamed : first == second ? .none : .changed
            }
            if change == .none { return nil }
            let arms = Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }
                .sorted { ($0.experience.name, $0.variation.name) < ($1.experience.name, $1.variation.name) }
            let values = arms.map { arm in
                ConfigDifference.Feature.Values(
                    experience: arm.experience.name, variation: arm.variation.name, before: first[arm]?.variables,
                    after: second[arm]?.variables, isDealtBefore: first[arm]?.isDealt ?? false,
                    isDealtAfter: second[arm]?.isDealt ?? false)
            }
            var known: Set<PropertyKey> = []
            let experiences = arms.map(\.experience).filter { known.insert($0).inserted }
            var isKey = false
            if case .key = name { isKey = true }
            return ConfigDifference.Feature(
                key: name.text, oldKey: oldKey, change: change, experiences: experiences.map(\.name), values: values,
                lostKey: oldKey ?? (change == .removed && isKey && !first.isEmpty ? name.text : nil))
        }
    }

    private static func keys(of project: Project) -> KeysByID {
        Dictionary(project.config.features.map { ($0.id.key, $0.entityKey.lookUp) }, uniquingKeysWith: { $1 })
    }

    /// The new keys of features that have another one than before, by their old keys.
    private static func renamings(from old: Project, to new: Project) -> [PropertyKey: PropertyKey] {
        let (before, after) = (keys(of: old), keys(of: new))
        let (oldKeys, newKeys) = (Set(before.values), Set(after.values))
        var renamings: [PropertyKey: PropertyKey] = [:]
        for (id, key) in before {
            guard let later = after[id], later != key, !newKeys.contains(key), !oldKeys.contains(later) else {
                continue
            }
            renamings[key] = later
        }
        return renamings
    }
}
