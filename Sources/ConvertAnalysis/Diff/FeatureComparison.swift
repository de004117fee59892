internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Compares the features that variations carry before and after: their variables, and the visitors who get them.
struct FeatureComparison {
    let changes: [ConfigDifference.Feature]
    /// The keys of the experiences whose variations carry a feature as before, and whose visitors read it otherwise:
    /// calls by the feature's old key get nothing, or read another experience first.
    let otherwiseRead: Set<PropertyKey>

    /// The name of a feature.
    enum Name: Hashable {
        case key(PropertyKey)
        /// The id of an undeclared feature: a call for all features returns it without a key.
        case id(PropertyKey)

        var text: String {
            switch self {
            case .key(let key), .id(let key): key.name
            }
        }
    }

    /// The keys of a variation and its experience in the later config.
    private struct Arm: Hashable {
        let experience: PropertyKey
        let variation: PropertyKey
    }

    /// The keys of features by their ids.
    private typealias KeysByID = [PropertyKey: PropertyKey]

    /// The data of a feature that visitors of one variation get.
    private struct Given: Equatable {
        /// The variables as an app reads them, as JSON text. A list of these if the variation carries the feature
        /// several times.
        let variables: String
        /// Whether new visitors can get the variation.
        let isDealt: Bool
    }

    /// The features that variations carry.
    private struct Carried {
        private(set) var given: [Name: [Arm: Given]] = [:]
        /// The experiences that carry a feature, in config order.
        private(set) var carriers: [Name: [FeatureCarrier]] = [:]
        private(set) var names: [Name] = []
        private var known: Set<Name> = []

        /// - Parameters:
        ///   - project: the config.
        ///   - later: the config that provides the keys of experiences and variations, if it has their ids.
        ///   - others: the features that the other config declares. Calls with their keys get nothing from this config,
        ///     unless it declares them too.
        ///   - renamings: the later keys of features, by their keys in this config.
        init(
            _ project: Project, namedAsIn later: Project, declaredElsewhere others: KeysByID,
            renamings: [PropertyKey: PropertyKey] = [:]
        ) {
            let config = project.config
            let archive = EngineTrial(project, environment: nil)
            let features = FeatureManager(experiences: ExperienceManager(project: project))
            func name(_ key: PropertyKey) -> Name { .key(renamings[key] ?? key) }
            for feature in config.features { note(name(feature.entityKey.lookUp)) }
            let laterOnes = Dictionary(firstOf: later.config.experiences.map { ($0.id.key, $0) })
            var experienceKeys: Set<PropertyKey> = []
            for (place, experience) in config.experiences.enumerated() {
                // Calls find only the first experience with a key.
                let isFound = experienceKeys.insert(experience.entityKey.lookUp).inserted
                if !isFound || archive.isArchived(experience) { continue }
                let other = laterOnes[experience.id.key]
                let variationKeys = Dictionary(
                    firstOf: other?.variations.compactMap { variation in variation.id.map { ($0.key, variation.key) } }
                        ?? [])
                let key = (other ?? experience).entityKey.lookUp
                let runs = BucketRuns(experience, under: project.options.semantics)
                var carriers: [Name: FeatureCarrier] = [:]
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
                    let isDealt = !runs.isUnreachable(index) && config.runsSomewhere(experience)
                    for (name, variables) in found {
                        let value = variables.count == 1 ? variables[0] : .array(variables)
                        carriers[name, default: FeatureCarrier(experience, key)].variables[index] =
                            variables.first.map { ECMAScript.jsonText(keepingNumbersOf: $0) }
                        given[name, default: [:]][arm] = Given(
                            variables: ECMAScript.jsonText(keepingNumbersOf: value), isDealt: isDealt)
                    }
                }
                for (name, carrier) in carriers { self.carriers[name, default: []].append(carrier) }
            }
        }

        func has(_ name: Name) -> Bool { known.contains(name) }

        private mutating func note(_ name: Name) {
            if known.insert(name).inserted { names.append(name) }
        }
    }

    /// - Parameters:
    ///   - old: the old config.
    ///   - new: the new config.
    ///   - experiences: the changes in experiences, by the keys that calls use.
    ///   - order: the comparison of the order of experiences.
    init(
        _ old: Project, _ new: Project, _ experiences: [PropertyKey: ConfigDifference.Experience], _ order: CarrierOrder
    ) {
        let renamings = Self.renamings(from: old, to: new)
        let before = Carried(old, namedAsIn: new, declaredElsewhere: Self.keys(of: new), renamings: renamings)
        let after = Carried(new, namedAsIn: new, declaredElsewhere: Self.keys(of: old))
        let oldKeys = Dictionary(firstOf: renamings.map { ($1, $0) })
        let names = after.names + before.names.filter { !after.has($0) }
        var otherwiseRead: Set<PropertyKey> = []
        changes = names.compactMap { name in
            let (first, second) = (before.given[name] ?? [:], after.given[name] ?? [:])
            let oldKey: String? = if case .key(let key) = name { oldKeys[key]?.name } else { nil }
            let (oldCarriers, newCarriers) = (before.carriers[name] ?? [], after.carriers[name] ?? [])
            let others = Dictionary(firstOf: oldCarriers.map { ($0.key, $0) })
            let recipients = newCarriers.compactMap { carrier -> ConfigDifference.Feature.Recipients? in
                guard let other = others[carrier.key] else { return nil }
                return experiences[carrier.key].flatMap { Self.recipients(other, carrier, old, new, $0) }
            }
            let reordering = order.change(
                from: oldCarriers, to: newCarriers, of: (PropertyKey(oldKey ?? name.text), PropertyKey(name.text)))
            otherwiseRead.formUnion(reordering?.experiences ?? [])
            if oldKey != nil {
                // A variation without visitors treats none of them.
                otherwiseRead.formUnion(first.filter { $0.value.isDealt }.keys.map(\.experience))
            }
            let change: ConfigDifference.Change
            switch (before.has(name), after.has(name)) {
            case (false, _): change = .added
            case (_, false): change = .removed
            case (true, true):
                let isSame = first == second && recipients.isEmpty && reordering == nil
                change = oldKey != nil ? .renamed : isSame ? .none : .changed
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
            var isKey = false
            if case .key = name { isKey = true }
            let keys =
                arms.map(\.experience.name) + recipients.map(\.experience) + (reordering?.order.experiences ?? [])
            return ConfigDifference.Feature(
                key: name.text, oldKey: oldKey, change: change, experiences: Set(keys).sorted(), values: values,
                recipients: recipients, order: reordering?.order,
                lostKey: oldKey ?? (change == .removed && isKey && !first.isEmpty ? name.text : nil))
        }
        self.otherwiseRead = otherwiseRead
    }

    /// The change of the visitors to whom an experience gives a feature; `nil` if they are the same.
    private static func recipients(
        _ before: FeatureCarrier, _ after: FeatureCarrier, _ old: Project, _ new: Project,
        _ found: ConfigDifference.Experience
    ) -> ConfigDifference.Feature.Recipients? {
        let (first, second) = (before.variablesByAnswer, after.variablesByAnswer)
        func share(_ moves: [ConfigDifference.Move], of moved: Double) -> Double {
            moves.filter { move in
                move.from.flatMap { first[PropertyKey($0)] } != move.to.flatMap { second[PropertyKey($0)] }
            }.reduce(moves.shareOfOthers(in: moved) ?? 0) { $0 + $1.share }
        }
        func isDealt(_ carrier: FeatureCarrier, _ project: Project) -> Bool {
            let runs = BucketRuns(carrier.experience, under: project.options.semantics)
            return project.config.runsSomewhere(carrier.experience)
                && carrier.variables.keys.contains { !runs.isUnreachable($0) }
        }
        let isOfStored = found.storedAudience != .equivalent || found.environments != nil
        let result = ConfigDifference.Feature.Recipients(
            experience: found.key, moved: share(found.moves, of: found.moved),
            storedMoved: share(found.storedMoves, of: found.storedMoved),
            isEntered: found.isEntered && (isOfStored || isDealt(after, new)),
            isLeft: found.isLeft && (isOfStored || isDealt(before, old)),
            losesDecisions: found.lostDecisions.contains { first[PropertyKey($0.variation)] != nil })
        let isSame =
            result.moved == 0 && result.storedMoved == 0 && !result.isEntered && !result.isLeft
            && !result.losesDecisions
        return isSame ? nil : result
    }

    private static func keys(of project: Project) -> KeysByID {
        Dictionary(project.config.features.map { ($0.id.key, $0.entityKey.lookUp) }, uniquingKeysWith: { $1 })
    }

    /// The new keys of renamed features, by their old keys.
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
