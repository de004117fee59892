internal import ConvertECMAScript

/// The experiences of a project, with everything resolved that does not depend on a visitor. Rows refer to data of
/// variable length in the other tables.
struct ExperienceCatalog: ~Copyable, Sendable {
    var rows = Rows<ExperienceRow>()
    /// Indices of attached audiences and locations, for all experiences.
    var attachments = Rows<Int32>()
    /// Ids of attached segments, for all experiences.
    var segmentIDs: [EntityID] = []
    /// The arms of all experiences.
    var ranges = Rows<BucketLayout.Range>()
    /// The environments that experiences name.
    var environments = KeyTable()
    var byKey = EntityIndex()
    var byID = EntityIndex()
    /// For experiences with repeated variation ids: maps each variation to the first variation with its id, in the
    /// first experience with the experience's id. The JavaScript SDK returns that variation.
    var foundVariations: [Int: [Int?]] = [:]

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
