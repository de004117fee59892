internal import ConvertConcurrency
internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// An experience's arms in all configs of a log.
struct LogArms: Sendable {
    let experienceID: String
    /// The key in the last config in which the experience has one.
    var key: String
    /// The experience's keys in all configs.
    var keys: Set<PropertyKey> = []
    /// The ids of the variations.
    var ids: [PropertyKey] = []
    /// The keys, or else ids, of the variations.
    var names: [String] = []
}

/// The allocations of a log's configs.
final class LogAllocations: Sendable {
    /// The allocation of an experience in one config.
    struct Allocation: Sendable {
        let reference: Reference
        let experienceID: PropertyKey
        /// The arms, by the names that a log uses for them.
        let arms: [PropertyKey: Arm]
    }

    /// An arm of an allocation.
    struct Arm: Sendable {
        /// The arm's index among the experience's arms in all configs.
        let number: Int
        /// Whether the allocation gives the arm to any visitor.
        let takesTraffic: Bool
    }

    /// An allocation in few numbers, which decisions copy.
    struct Reference: Sendable {
        /// The experience's index among all.
        let experience: Int
        /// The number of the allocation, which configs with the same allocation share.
        let number: Int
    }

    /// The allocations of a config, by the keys and by the ids of experiences.
    struct Table: Sendable {
        let byKey: [PropertyKey: Allocation]
        let byID: [PropertyKey: Allocation]
        /// The features that variations carry; `nil` for lines that do not ask for features.
        var carried: CarriedFeatures?
    }

    private struct Key: Hashable {
        let config: Int
        let options: CompilationOptions
        /// Whether variables are cast; `nil` for lines that do not ask for features.
        let castsTypes: Bool?
        /// The keys of the experiences whose features such lines ask for; empty for all experiences.
        let experienceKeys: [String]
    }

    let arms: [LogArms]
    private let places: [PropertyKey: Int]
    private let configs: [ProjectConfig]
    private let tables = BoundedCache<Key, Table>(limit: 64)
    private let numbered = Mutex<(numbers: [AllocatedBuckets: Int], all: [AllocatedBuckets])>(([:], []))

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
            if let key = experience.key {
                arms[place].key = key
                arms[place].keys.insert(PropertyKey(key))
            }
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

    /// The allocations of the config at `index` for lines such as `line`.
    func table(of index: Int, for line: LoggedDecisions) -> Table {
        let castsTypes = line.call.asksForFeatures ? line.call.castsTypes : nil
        let key = Key(
            config: index, options: line.compilation, castsTypes: castsTypes, experienceKeys: line.call.experienceKeys)
        return tables.value(for: key) {
            var table = makeTable(of: configs[index], key.options)
            let asked = Set(key.experienceKeys.map { PropertyKey($0) })
            let allocations = asked.isEmpty ? table.byKey : table.byKey.filter { asked.contains($0.key) }
            table.carried = castsTypes.map {
                CarriedFeatures(Project(configs[index], options: key.options), allocations, castsTypes: $0)
            }
            return table
        }
    }

    /// For each experience, whether its key or id is in `names`. If `names` is empty, all experiences are included.
    ///
    /// A key that the last config does not contain stands for the experiences that had it before.
    func isNamed(by names: [String]) -> [Bool] {
        var named = Array(repeating: names.isEmpty, count: arms.count)
        for name in names.map({ PropertyKey($0) }) {
            let now = arms.map { PropertyKey($0.key) == name || PropertyKey($0.experienceID) == name }
            let found = now.contains(true) ? now : arms.map { $0.keys.contains(name) }
            for index in arms.indices where found[index] { named[index] = true }
        }
        return named
    }

    private func makeTable(of config: ProjectConfig, _ options: CompilationOptions) -> Table {
        var byKey: [PropertyKey: Allocation] = [:]
        var byID: [PropertyKey: Allocation] = [:]
        for experience in config.experiences where byID[experience.id.key] == nil {
            guard let place = places[experience.id.key] else { continue }
            let known = arms[place]
            let buckets = AllocatedBuckets(
                of: experience, arms: known.ids, bucketing: options.bucketing, semantics: options.semantics)
            var names: [PropertyKey: Arm] = [:]
            var ids: Set<PropertyKey> = []
            // If several variations have one id, visitors get the first of them.
            for variation in experience.variations {
                guard let id = variation.id, ids.insert(id.key).inserted,
                    let index = known.ids.firstIndex(of: id.key)
                else { continue }
                let name = PropertyKey(variation.key ?? id.text)
                let takesTraffic = !buckets.shares.isEmpty && buckets.shares[index] > 0
                if names[name] == nil { names[name] = Arm(number: index, takesTraffic: takesTraffic) }
            }
            let reference = Reference(experience: place, number: number(of: buckets))
            let allocation = Allocation(reference: reference, experienceID: experience.id.key, arms: names)
            byID[experience.id.key] = allocation
            if byKey[experience.entityKey.lookUp] == nil { byKey[experience.entityKey.lookUp] = allocation }
        }
        return Table(byKey: byKey, byID: byID)
    }

    private func number(of buckets: AllocatedBuckets) -> Int {
        numbered.withLock { numbered in
            if let number = numbered.numbers[buckets] { return number }
            numbered.numbers[buckets] = numbered.all.count
            numbered.all.append(buckets)
            return numbered.all.count - 1
        }
    }

    /// The allocations so far, by their numbers.
    var all: [AllocatedBuckets] { numbered.withLock(\.all) }
}
