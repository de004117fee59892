internal import ConvertECMAScript

/// The declared features of a project, and the features that variations carry.
final class FeatureCatalog: Sendable {
    /// Features by key. Several declarations may have the same key.
    let byKey: EntityIndex
    /// Indices of the declared features, in the order of a JavaScript object's keys; for a repeated id, its last
    /// declaration.
    let declared: [Int]
    let carried: [CarriedFeature]
    /// For each experience the ranges in ``carried`` of the variations of the first experience with its id; empty if
    /// none of them carries a feature.
    private let carriedRanges: [[TableRange]]
    /// For each declared feature the indices of the experiences that carry it, or carry another feature with its key,
    /// in config order. Declarations with the same id share a list: otherwise many such declarations would take memory
    /// quadratic in their number.
    let carriers: [[Int32]]

    /// Creates the catalog of `config`. The reader must have read the variations of all experiences.
    init(
        _ config: ProjectConfig, carriedBy reader: borrowing CarriedFeatureReader,
        _ experiences: borrowing ExperienceCatalog
    ) {
        var keys = EntityIndex()
        var owners: [Int] = []
        for (index, feature) in config.features.enumerated() {
            owners.append(keys.insert(feature.entityKey.lookUp, at: index))
        }
        byKey = keys
        declared = reader.declarations.inOrderOfKeys
        carried = reader.features
        let ranges = reader.ranges
        carriedRanges = experiences.rows.elements.map { ranges[$0.idOwner] }
        let lists = config.features.map { reader.carriers[$0.id.key] ?? [] }
        if owners.enumerated().allSatisfy({ $0.element == $0.offset }) {
            carriers = lists
        } else {
            var united: [Int: Set<Int32>] = [:]
            for (list, owner) in zip(lists, owners) { united[owner, default: []].formUnion(list) }
            let sorted = united.mapValues { $0.sorted() }
            carriers = owners.map { sorted[$0] ?? [] }
        }
    }

    /// The range in ``carried`` of the features that a variation carries. `index` is the variation's index in the first
    /// experience with the experience's id.
    func carried(byVariation index: Int, of experience: Int) -> TableRange {
        carriedRanges[experience].isEmpty ? TableRange() : carriedRanges[experience][index]
    }
}
