internal import ConvertECMAScript

/// The declared features of a project, and the features that variations carry.
final class FeatureCatalog: Sendable {
    /// Features by key. Several declarations may have the same key.
    let byKey: EntityIndex
    /// Indices of the declared features, in the order of a JavaScript object's keys; for a repeated id, its last
    /// declaration.
    let declared: [Int]
    /// The features that variations carry.
    let carried: [CarriedFeature]
    /// The range in ``carried`` of each variation, for experiences with features.
    private let carriedRanges: [TableRange]
    /// For each experience the index in `carriedRanges` of the first variation of the first experience with its id; -1
    /// if that experience has no features.
    private let carriedStarts: [Int32]
    /// For each declared feature the range in ``carrierPool`` of the experiences that carry it.
    private let carriers: [TableRange]
    private let carrierPool: [Int32]

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
        carriedRanges = reader.ranges
        let starts = reader.starts
        carriedStarts = experiences.rows.elements.map { starts[$0.idOwner] }
        (carriers, carrierPool) = Self.carriers(of: config.features, owners, reader)
    }

    /// The pool, and for each feature the range in it of the experiences that carry the feature or another feature with
    /// its key.
    ///
    /// - Parameter owners: for each feature the index of the first feature with its key.
    private static func carriers(
        of features: [ProjectConfig.Feature], _ owners: [Int], _ reader: borrowing CarriedFeatureReader
    ) -> (ranges: [TableRange], pool: [Int32]) {
        var pool: [Int32] = []
        func append(_ indices: [Int32]) -> TableRange {
            defer { pool += indices }
            return TableRange(start: pool.count, count: indices.count)
        }
        // Declarations with the same id share a range. Otherwise many such declarations would take memory quadratic in
        // their number.
        let rangesOfIDs = reader.carriers.map(append)
        let ranges = features.map { feature in
            reader.ids.index(of: feature.id.key).map { rangesOfIDs[$0] } ?? TableRange()
        }
        if owners.enumerated().allSatisfy({ $0.element == $0.offset }) { return (ranges, pool) }
        var indices: [Int: Set<Int32>] = [:]
        for (range, owner) in zip(ranges, owners) { indices[owner, default: []].formUnion(pool[range.indices]) }
        let united = indices.mapValues { append($0.sorted()) }
        return (owners.map { united[$0] ?? TableRange() }, pool)
    }

    /// The range in ``carried`` of the features that a variation carries. `index` is the variation's index in the first
    /// experience with the experience's id.
    func carried(byVariation index: Int, of experience: Int) -> TableRange {
        let start = Int(carriedStarts[experience])
        return start < 0 ? TableRange() : carriedRanges[start + index]
    }

    /// Places, for ``carrier(at:)``, of the experiences that carry the declared feature at `index`, in config order.
    func carriers(of index: Int) -> TableRange { carriers[index] }

    /// Index of the experience at a place from ``carriers(of:)``.
    func carrier(at place: Int) -> Int { Int(carrierPool[place]) }
}
