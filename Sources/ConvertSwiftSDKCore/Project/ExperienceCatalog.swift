internal import ConvertECMAScript

/// The experiences of a project, resolved as far as no visitor decides. A row says where in the other tables the rest of its
/// experience is.
final class ExperienceCatalog: Sendable {
    private let rows: Rows<ExperienceRow>
    /// Indices of the audiences and locations that experiences attach.
    let attachments: Rows<Int32>
    /// Ids of the segments that experiences attach.
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

    /// Number of experiences.
    var count: Int { rows.count }

    /// The experiences' indices, in config order.
    var indices: Range<Int> { rows.indices }

    /// The experience at an index.
    @inline(__always)
    subscript(index: Int) -> ExperienceRow { rows[index] }

    /// Index of the variation that the reference hands out when it has decided on the one at `index`.
    @inline(__always)
    func foundVariation(_ index: Int, of experience: ExperienceRow) -> Int? {
        guard !foundVariations.isEmpty, let found = foundVariations[experience.index] else { return index }
        return found[index]
    }
}

/// The tables of an ``ExperienceCatalog`` while they are made.
struct ExperienceTables: ~Copyable {
    var rows: [ExperienceRow] = []
    var attachments: [Int32] = []
    var segmentIDs: [EntityID] = []
    var ranges: [BucketLayout.Range] = []
    var environments = KeyTable()
    var byKey = EntityIndex()
    var byID = EntityIndex()
    /// Where variation ids repeat: for each variation of the experience at an index the first one with its id, among those of
    /// the first experience with the experience's id. The JavaScript SDK returns that one.
    var foundVariations: [Int: [Int?]] = [:]
}
