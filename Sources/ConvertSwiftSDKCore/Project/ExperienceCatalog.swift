internal import ConvertECMAScript

/// The experiences of a project, with everything resolved that does not depend on a visitor. Rows refer to data of
/// variable length in the other tables.
final class ExperienceCatalog: Sendable {
    private let rows: Rows<ExperienceRow>
    /// Indices of attached audiences and locations, for all experiences.
    let attachments: Rows<Int32>
    /// Ids of attached segments, for all experiences.
    let segmentIDs: [EntityID]
    /// The arms of all experiences.
    let ranges: Rows<BucketLayout.Range>
    /// The environments that experiences name.
    let environments: KeyTable
    let byKey: EntityIndex
    let byID: EntityIndex
    private let foundVariations: [Int: [Int?]]

    init(_ tables: consuming ExperienceTables) {
        rows = Rows(tables.rows)
        attachments = Rows(tables.attachments)
        segmentIDs = tables.segmentIDs
        ranges = Rows(tables.ranges)
        foundVariations = tables.foundVariations
        environments = tables.environments
        byKey = tables.byKey
        byID = tables.byID
    }

    var count: Int { rows.count }

    var indices: Range<Int> { rows.indices }

    @inline(__always)
    subscript(index: Int) -> ExperienceRow { rows[index] }

    /// Index of the variation that the reference returns after selecting the variation at `index`; `nil` if it does not
    /// find a variation.
    @inline(__always)
    func foundVariation(_ index: Int, of experience: ExperienceRow) -> Int? {
        guard !foundVariations.isEmpty, let found = foundVariations[experience.index] else { return index }
        return found[index]
    }
}

/// The tables of an ``ExperienceCatalog`` under construction.
struct ExperienceTables: ~Copyable {
    var rows: [ExperienceRow] = []
    var attachments: [Int32] = []
    var segmentIDs: [EntityID] = []
    var ranges: [BucketLayout.Range] = []
    var environments = KeyTable()
    var byKey = EntityIndex()
    var byID = EntityIndex()
    /// For experiences with repeated variation ids: maps each variation to the first variation with its id, in the
    /// first experience with the experience's id. The JavaScript SDK returns that variation.
    var foundVariations: [Int: [Int?]] = [:]
}
