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

    /// What variations carry: by feature, experience and variation the variables, and the feature's declaration.
    private struct Carried {
        private(set) var variables: [Name: [PropertyKey: JSObject]] = [:]
        private(set) var types: [Name: JSObject] = [:]
        private(set) var names: [Name] = []

        /// - Parameters:
        ///   - project: the config.
        ///   - later: the config whose keys experiences and variations go by, where it has their ids.
        ///   - renamings: the later keys of features, by their keys.
        init(_ project: Project, namedAsIn later: Project, _ renamings: [PropertyKey: PropertyKey] = [:]) {
            let config = project.config
            let archive = EngineTrial(project, environment: nil)
            func name(_ key: PropertyKey) -> PropertyKey { renamings[key] ?? key }
            let keys = FeatureComparison.keys(of: project).mapValues(name)
            for feature in config.features {
                let types = feature.variables.map { ($0.key, JSValue.string($0.type ?? "")) }
                declare(.key(name(feature.entityKey.lookUp)), JSObject(types))
            }
            let others = Dictionary(
                later.config.experiences.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
            for experience in config.experiences where !archive.isArchived(experience) {
                let other = others[experience.id.key]
                let names = Dictionary(
                    other?.variations.compactMap { variation in variation.id.map { ($0.key, variation.key) } } ?? [],
                    uniquingKeysWith: { first, _ in first })
                let key = (other ?? experience).entityKey.lookUp
                for variation in experience.variations {
                    for change in variation.changes where change.type == "fullStackFeature" {
                        guard let data = change.data?.objectValue, let id = data.carriedFeatureID else { continue }
                        let name = keys[id.key].map(Name.key) ?? .id(id.key)
                        if types[name] == nil { declare(name, JSObject()) }
                        let variationKey = variation.id.flatMap { names[$0.key] ?? nil } ?? variation.key
                        let place = variationKey ?? variation.id?.text ?? ""
                        let values = data["variables_data"] ?? .null
                        variables[name, default: [:]][key, default: JSObject()][place] = values
                    }
                }
            }
        }

        private mutating func declare(_ name: Name, _ types: JSObject) {
            if self.types[name] == nil { names.append(name) }
            self.types[name] = types
        }
    }

    init(_ old: Project, _ new: Project) {
        let renamings = Self.renamings(from: old, to: new)
        let (before, after) = (Carried(old, namedAsIn: new, renamings), Carried(new, namedAsIn: new))
        let oldKeys = Dictionary(renamings.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let names = after.names + before.names.filter { after.types[$0] == nil }
        changes = names.compactMap { name in
            let (first, second) = (before.variables[name] ?? [:], after.variables[name] ?? [:])
            let change: ConfigDifference.Change
            switch (before.types[name], after.types[name]) {
            case (nil, _): change = .added
            case (_, nil): change = .removed
            case (let types?, let others?): change = types == others && first == second ? .none : .changed
            }
            let oldKey: String? = if case .key(let key) = name { oldKeys[key]?.name } else { nil }
            if change == .none, oldKey == nil { return nil }
            let hasOtherTypes = before.types[name] != after.types[name]
            let experiences = Set(first.keys).union(second.keys).filter { hasOtherTypes || first[$0] != second[$0] }
            var values: [ConfigDifference.Feature.Values] = []
            for key in experiences.sorted(by: { $0.name < $1.name }) {
                let (old, new) = (first[key] ?? JSObject(), second[key] ?? JSObject())
                let places = new.members.map(\.key) + old.members.map(\.key).filter { new[$0] == nil }
                for place in places where old[place] != new[place] {
                    values.append(
                        ConfigDifference.Feature.Values(
                            experience: key.name, variation: place.name,
                            before: old[place].map { ECMAScript.jsonText(keepingNumbersOf: $0) },
                            after: new[place].map { ECMAScript.jsonText(keepingNumbersOf: $0) }))
                }
            }
            return ConfigDifference.Feature(
                key: name.text, oldKey: oldKey, change: oldKey == nil ? change : .renamed,
                experiences: experiences.map(\.name).sorted(), values: values)
        }
    }

    /// The keys of features by their ids.
    private static func keys(of project: Project) -> [PropertyKey: PropertyKey] {
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
