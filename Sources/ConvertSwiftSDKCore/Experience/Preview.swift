internal import ConvertECMAScript

/// A variation that a visitor looks at without being counted. A class, so that a visitor without a preview stores only a
/// pointer.
@usableFromInline
final class Preview: Sendable {
    let project: Project
    /// Index of the experience.
    let experience: Int
    let variation: Int

    /// The preview of an experience and a variation by their ids, or `nil` if the project has none such.
    init?(experienceID: PropertyKey, variationID: PropertyKey, in project: Project) {
        guard let experience = project.experience(id: experienceID),
            let variation = project.model(experience).variation(id: variationID, numericIDs: true)
        else { return nil }
        self.project = project
        self.experience = experience
        self.variation = variation
    }

    /// The same preview in another project.
    convenience init?(like other: Preview, in project: Project) {
        let model = other.project.model(other.experience)
        guard let variationID = model.variations[other.variation].id else { return nil }
        self.init(experienceID: model.id.key, variationID: variationID.key, in: project)
    }

    /// Whether a call that asks for the experience at `index` is to see the preview: by key, whichever of several with its
    /// key is previewed. A call asks with text, which a key that is not text never equals.
    func isMeant(by index: Int, identifiesByID: Bool) -> Bool {
        if identifiesByID { return index == experience }
        return project.model(experience).entityKey.isText
            && project.experiences[index].keyOwner == project.experiences[experience].keyOwner
    }

    /// The first experience with the key of the previewed one, whose decision the preview replaces among those of all
    /// experiences; `nil` if the two keys have one text and are not equal.
    var replacedExperience: Int? {
        let owner = project.experiences[experience].keyOwner
        return project.model(owner).entityKey == project.model(experience).entityKey ? owner : nil
    }

    /// What the preview selects.
    var selection: Selection {
        Selection(experience: experience, variation: variation, source: .preview)
    }
}

extension ExperienceManager {
    /// Whether `setPreview` looks the ids up. With an empty one it changes nothing.
    package static func canPreview(experienceID: String, variationID: String) -> Bool {
        !experienceID.isEmpty && !variationID.isEmpty
    }

    /// Shows `visitor` one variation, whatever the rules, the environment, the archive or the stored decision say.
    ///
    /// While a preview is on, everything else decides, but nothing is stored, reported or told, conversions do nothing and
    /// segments cannot be changed. It belongs to this visitor value alone.
    /// - Parameters:
    ///   - experienceID: the experience's id.
    ///   - variationID: the variation's id. Ids that are not in the config end an earlier preview; with an empty id the call
    ///     changes nothing.
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
