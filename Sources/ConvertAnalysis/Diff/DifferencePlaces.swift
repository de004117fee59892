internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The places of a config's experiences in the list of a difference.
///
/// Several experiences may have one key, of which calls find only the first, and an experience may have other keys in
/// the two configs. So the id is what identifies an experience.
struct DifferencePlaces: Sendable {
    private let byID: [PropertyKey: Int]
    private let byKey: [PropertyKey: Int]

    /// - Parameters:
    ///   - config: one of the two configs.
    ///   - ids: the ids in `config` of the experiences of the difference.
    init(of config: ProjectConfig, ids: [PropertyKey?]) {
        let places = Dictionary(firstOf: ids.enumerated().compactMap { place, id in id.map { ($0, place) } })
        byID = places
        var known: Set<PropertyKey> = []
        let found = config.experiences.map { experience in
            let isFirst = known.insert(experience.id.key).inserted
            return (experience.entityKey.lookUp, isFirst ? places[experience.id.key] : nil)
        }
        byKey = Dictionary(firstOf: found).compactMapValues(\.self)
    }

    /// The place of the experience that calls find by a key; `nil` if the difference does not contain the experience.
    subscript(key key: PropertyKey) -> Int? { byKey[key] }

    /// The place of the experience that calls find by an id; `nil` if the difference does not contain the experience.
    subscript(id id: PropertyKey) -> Int? { byID[id] }
}
