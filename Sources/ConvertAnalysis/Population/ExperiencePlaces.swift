internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The experiences of a config that answers are given for, each key once: of several with one key the first.
struct ExperiencePlaces: Sendable {
    /// The keys, in the order of the answers.
    let keys: [String]
    /// For each of ``keys`` the index of its experience in the config.
    let indices: [Int]
    /// For each experience of the config its place among ``keys``; -1 if it has none.
    let places: [Int]

    /// All experiences of `config`, in its order.
    init(_ config: ProjectConfig) {
        var known: Set<PropertyKey> = []
        let keys = config.experiences.map(\.entityKey.lookUp)
        self.init(keys.indices.filter { known.insert(keys[$0]).inserted }, of: config)
    }

    /// The experiences with `keys`, or else with these ids, in their order; empty means all.
    ///
    /// - Throws: ``UnknownExperienceError`` if the config does not have one of them.
    init(_ config: ProjectConfig, named keys: [String]) throws(UnknownExperienceError) {
        let all = ExperiencePlaces(config)
        if keys.isEmpty {
            self = all
            return
        }
        let lookUps = all.indices.map { config.experiences[$0].entityKey.lookUp }
        let first = Dictionary(uniqueKeysWithValues: zip(lookUps, all.indices))
        let ids = Dictionary(
            all.indices.map { (config.experiences[$0].id.key, $0) }, uniquingKeysWith: { first, _ in first })
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
