internal import ConvertECMAScript

/// A variation that a visitor previews without being counted. A class, so that a visitor without a preview stores only
/// a pointer.
@usableFromInline
final class Preview: Sendable {
    let project: Project
    let experience: Int
    let variation: Int

    /// Creates the preview of a variation by ids, or returns `nil` if the project has no such experience or variation.
    init?(experienceID: PropertyKey, variationID: PropertyKey, in project: Project) {
        guard let experience = project.experience(id: experienceID),
            let variation = project.model(experience).variation(id: variationID, under: .standard)
        else { return nil }
        self.project = project
        self.experience = experience
        self.variation = variation
    }

    /// Creates the same preview in another project, or returns `nil` if the project lacks the experience or variation.
    convenience init?(like other: Preview, in project: Project) {
        let model = other.project.model(other.experience)
        guard let variationID = model.variations[other.variation].id else { return nil }
        self.init(experienceID: model.id.key, variationID: variationID.key, in: project)
    }

    /// Whether a call for the experience at `index` shows the preview. A call by key shows the preview of any
    /// experience with that key, unless the key is not text in the config.
    func isMeant(by index: Int, identifiesByID: Bool) -> Bool {
        if identifiesByID { return index == experience }
        return project.model(experience).entityKey.isText
            && project.experiences[index].keyOwner == project.experiences[experience].keyOwner
    }

    /// The first experience with the key of the previewed experience. In a call for all experiences, the preview
    /// replaces its decision. `nil` if the two keys have the same text but are not equal.
    var replacedExperience: Int? {
        let owner = project.experiences[experience].keyOwner
        return project.model(owner).entityKey == project.model(experience).entityKey ? owner : nil
    }

    var selection: Selection {
        Selection(experience: experience, variation: variation, source: .preview)
    }
}

extension ExperienceManager {
    /// Whether `setPreview` looks up these ids. If one is empty, `setPreview` changes nothing.
    package static func canPreview(experienceID: String, variationID: String) -> Bool {
        !experienceID.isEmpty && !variationID.isEmpty
    }

    /// Shows `visitor` one variation, regardless of rules, environment, archive and stored decisions.
    ///
    /// While a preview is on, other experiences are decided as usual, but nothing is stored, reported or passed to
    /// listeners. Conversions do nothing, and segments cannot change. The preview applies to this visitor value only.
    ///
    /// - Parameters:
    ///   - experienceID: the experience's id.
    ///   - variationID: the variation's id. Unknown ids end the current preview; an empty id changes nothing.
    /// - Returns: whether a preview is on now.
    @discardableResult
    public func setPreview(experienceID: String, variationID: String, for visitor: inout Visitor) -> Bool {
        visitor.adopt(project)
        if Self.canPreview(experienceID: experienceID, variationID: variationID) {
            visitor.preview = Preview(
                experienceID: PropertyKey(experienceID), variationID: PropertyKey(variationID), in: project)
        }
        return visitor.preview != nil
    }
}
