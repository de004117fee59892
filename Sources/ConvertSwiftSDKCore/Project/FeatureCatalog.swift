internal import ConvertECMAScript

/// The declared features of a project, and the features that variations carry.
final class FeatureCatalog: Sendable {
    /// Features by their keys, which several declarations may have.
    let byKey: EntityIndex
    /// Indices of the declared features in the order of an object's keys; of one id the last declaration.
    let declared: [Int]
    /// The features that variations carry.
    let carried: [CarriedFeature]
    /// For each variation of an experience with features where those are among ``carried``.
    private let carriedRanges: [TableRange]
    /// For each experience where the ranges of its variations begin, which are those of the first one with its id; -1 for one
    /// without features.
    private let carriedStarts: [Int32]
    /// For each declared feature its carriers among ``carrierPool``.
    private let carriers: [TableRange]
    private let carrierPool: [Int32]

    /// The features of `config`.
    ///
    /// - Parameters:
    ///   - reader: has read the variations of all experiences.
    ///   - rows: the experiences.
    init(_ config: ProjectConfig, carriedBy reader: borrowing CarriedFeatureReader, _ rows: [ExperienceRow]) {
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
        carriedStarts = rows.map { starts[$0.idOwner] }
        (carriers, carrierPool) = Self.carriers(of: config.features, owners, reader)
    }

    /// For each feature where the experiences are that some variation of carries it or another one with its key, and these.
    ///
    /// - Parameter owners: for each feature the first one with its key.
    private static func carriers(
        of features: [Feature], _ owners: [Int], _ reader: borrowing CarriedFeatureReader
    ) -> (ranges: [TableRange], pool: [Int32]) {
        var pool: [Int32] = []
        func append(_ indices: [Int32]) -> TableRange {
            defer { pool += indices }
            return TableRange(start: pool.count, count: indices.count)
        }
        // Declarations with one id share a range, or many of them would take memory by the square.
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

    /// Range of the features that a variation carries among ``carried``: one of the first experience with the experience's id.
    func carried(byVariation index: Int, of experience: Int) -> TableRange {
        let start = Int(carriedStarts[experience])
        return start < 0 ? TableRange() : carriedRanges[start + index]
    }

    /// Places of the experiences some variation of which carries the declared feature at `index`, in config order, for
    /// ``carrier(at:)``.
    func carriers(of index: Int) -> TableRange { carriers[index] }

    /// Index of the experience at a place.
    func carrier(at place: Int) -> Int { Int(carrierPool[place]) }
}
