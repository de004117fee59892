internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The arms of an experience over all configs of a log.
struct LogArms: Sendable {
    let experienceID: String
    /// The key in the last config that has one.
    var key: String
    /// Ids of variations.
    var ids: [PropertyKey] = []
    /// Their keys, or else their ids.
    var names: [String] = []
}

/// What the configs of a log allocate.
final class LogAllocations: Sendable {
    /// What one config allocates in an experience.
    struct Allocation: Sendable {
        /// The experience's place among all.
        let experience: Int
        let experienceID: PropertyKey
        /// Arms by what a log calls them.
        let arms: [PropertyKey: Int]
        /// For each arm its share of the visitors who get a variation; empty if none does.
        let shares: [Double]
    }

    /// The allocations of a config, by the keys and by the ids of experiences.
    struct Table: Sendable {
        let byKey: [PropertyKey: Allocation]
        let byID: [PropertyKey: Allocation]
    }

    private struct Key: Hashable {
        let config: Int
        let options: CompilationOptions
    }

    let arms: [LogArms]
    private let places: [PropertyKey: Int]
    private let configs: [ProjectConfig]
    private let tables = BoundedCache<Key, Table>(limit: 64)

    init(_ configs: [ProjectConfig]) {
        self.configs = configs
        var arms: [LogArms] = []
        var places: [PropertyKey: Int] = [:]
        for experience in configs.flatMap(\.experiences) {
            let place = places[experience.id.key] ?? arms.count
            if place == arms.count {
                arms.append(LogArms(experienceID: experience.id.text, key: experience.id.text))
                places[experience.id.key] = place
            }
            if let key = experience.key { arms[place].key = key }
            for variation in experience.variations {
                guard let id = variation.id else { continue }
                let name = variation.key ?? id.text
                if let known = arms[place].ids.firstIndex(of: id.key) {
                    arms[place].names[known] = name
                } else {
                    arms[place].ids.append(id.key)
                    arms[place].names.append(name)
                }
            }
        }
        self.arms = arms
        self.places = places
    }

    /// What the config at `index` allocates if it is compiled so.
    func table(of index: Int, _ options: CompilationOptions) -> Table {
        tables.value(for: Key(config: index, options: options)) { makeTable(of: configs[index], options) }
    }

    private func makeTable(of config: ProjectConfig, _ options: CompilationOptions) -> Table {
        var byKey: [PropertyKey: Allocation] = [:]
        var byID: [PropertyKey: Allocation] = [:]
        for experience in config.experiences where byID[experience.id.key] == nil {
            guard let place = places[experience.id.key] else { continue }
            let known = arms[place]
            let shares = BucketShares(of: experience, bucketing: options.bucketing, semantics: options.semantics)
            var names: [PropertyKey: Int] = [:]
            var values = known.ids.map { _ in 0.0 }
            for arm in shares.arms {
                guard let index = known.ids.firstIndex(of: PropertyKey(arm.variationID)) else { continue }
                if shares.total > 0 { values[index] = arm.share / shares.total }
                let name = PropertyKey(arm.variationKey ?? arm.variationID)
                if names[name] == nil { names[name] = index }
            }
            let allocation = Allocation(
                experience: place, experienceID: experience.id.key, arms: names,
                shares: shares.total > 0 ? values : [])
            byID[experience.id.key] = allocation
            if byKey[experience.entityKey.lookUp] == nil { byKey[experience.entityKey.lookUp] = allocation }
        }
        return Table(byKey: byKey, byID: byID)
    }
}
