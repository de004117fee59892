internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The experiences of a config to decide. If several have one key, only the first is included.
struct ExperiencePlaces: Sendable {
    /// The keys, in the order of the decisions.
    let keys: [String]
    /// For each of ``keys``, the index of its experience in the config.
    let indices: [Int]
    /// For each experience of the config, its index in ``keys``; -1 if it is not included.
    let places: [Int]

    /// Creates the places of all experiences of `config`, in its order.
    init(_ config: ProjectConfig) {
        var known: Set<PropertyKey> = []
        let keys = config.experiences.map(\.entityKey.lookUp)
        self.init(keys.indices.filter { known.insert(keys[$0]).inserted }, of: config)
    }

    /// Creates the places of the experiences with these keys, or else with these ids, in the order of `keys`. If `keys`
    /// is empty, all experiences are included.
    ///
    /// - Throws: ``UnknownExperienceError`` if the config does not contain one of them.
    init(_ config: ProjectConfig, named keys: [String]) throws(UnknownExperienceError) {
        let all = ExperiencePlaces(config)
        if keys.isEmpty {
            self = all
            return
        }
        let lookUps = all.indices.map { config.experiences[$0].entityKey.lookUp }
        let first = Dictionary(uniqueKeysWithValues: zip(lookUps, all.indices))
        let ids = Dictionary(firstOf: all.indices.map { (config.experiences[$0].id.key, $0) })
        var known: Set<Int> = []
        var indices: [Int] = []
        for key in keys {
            guard let index = first[PropertyKey(key)] ?? ids[PropertyKey(key)] else {
                throw UnknownExperienceError(UnknownName("experience", key, among: all.keys))
            }
            if known.insert(index).inserted { indices.append(index) }
        }
        self.init(indices, of: config)
    }

    private init(_ indices: [Int], of config: ProjectConfig) {
        self.indices = indices
        keys = indices.map { config.experiences[$0].entityKey.lookUp.text }
        var places = config.experiences.map { _ in -1 }
        for (place, index) in indices.enumerated() { places[index] = place }
        self.places = places
    }
}
