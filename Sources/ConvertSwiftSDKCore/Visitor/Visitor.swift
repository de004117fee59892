package import ConvertECMAScript

/// A visitor as decisions see one: the id, the attributes of this context, and what is stored.
///
/// ``ExperienceManager/visitor(id:attributes:state:)`` makes one; deciding changes ``state`` in memory and says in the
/// decision's effects what else is to be done. A copy is made by ``copy()`` only, because few callers need one and all
/// others would count references for it.
package struct Visitor: ~Copyable, Sendable {
    /// The visitor's id; with an empty one nothing is decided.
    package let id: String

    /// The attributes of this context, without those that became report segments.
    package var attributes: JSObject { unmerged ?? resolved.source }

    /// What is stored, as far as this visitor value knows.
    package private(set) var state: VisitorState

    /// The variation that the visitor looks at without being counted.
    var preview: Preview?

    /// Attributes and stored segments in the project's slots, with the verdict of each audience on them.
    var resolved: Attributes

    /// The context's attributes where stored segments are merged into those that are resolved. Else they are the same, and
    /// are held once.
    private var unmerged: JSObject?

    /// Serial of the project that `resolved` was made with. Not the project itself, whose references all threads count.
    private var project: UInt64

    static func make(
        id: consuming String, attributes: consuming JSObject, state: consuming VisitorState, project: Project
    ) -> Visitor {
        if let segments = state.segments {
            let merged = segments.deepMerging(copy attributes)
            return Visitor(
                id: id, state: state, preview: nil, resolved: resolve(merged, project), unmerged: attributes,
                project: project.serial)
        }
        // By the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
        return Visitor(
            id: id, state: state, preview: nil, resolved: resolve(attributes, project), unmerged: nil,
            project: project.serial)
    }

    /// Makes a visitor that another project's manager made one of `project`: slots, verdicts and what is previewed belong to
    /// the project they were made with.
    @inline(__always)
    mutating func adopt(_ project: Project) {
        if self.project != project.serial { rebind(to: project) }
    }

    private mutating func rebind(to project: Project) {
        self.project = project.serial
        resolve(in: project)
        preview = preview.flatMap { Preview(like: $0, in: project) }
    }

    /// Makes `change` in memory; `project` is the one that was adopted.
    package mutating func apply(_ change: VisitorStateChange, in project: Project) {
        state.apply(change)
        if case .segments = change { resolve(in: project) }
    }

    private mutating func resolve(in project: Project) {
        let attributes = attributes
        unmerged = state.segments == nil ? nil : attributes
        resolved = Visitor.resolve(state.segments.map { $0.deepMerging(attributes) } ?? attributes, project)
    }

    /// Takes `state` for what is stored.
    package mutating func replaceState(_ state: VisitorState, in project: Project) {
        let attributes = attributes
        self.state = state
        self.project = project.serial
        unmerged = state.segments == nil ? nil : attributes
        resolved = Visitor.resolve(state.segments.map { $0.deepMerging(attributes) } ?? attributes, project)
    }

    /// Whether the visitor looks at a variation without being counted.
    package var isPreviewing: Bool { preview != nil }

    /// Ends the preview, if there is one.
    package mutating func endPreview() { preview = nil }

    /// The attributes with `properties` merged over them, which decide one call.
    func merging(_ properties: JSObject) -> JSObject {
        (state.segments ?? JSObject()).deepMerging(attributes.deepMerging(properties))
    }

    /// All properties in a call that brings `properties`, or `nil` if those are none.
    func properties(addedBy properties: JSObject) -> JSObject? {
        properties.isEmpty ? nil : merging(properties)
    }

    /// A copy that shares no verdicts, to be decided anew.
    func withoutVerdicts() -> Visitor {
        var copy = copy()
        copy.resolved.forgetAnswers()
        return copy
    }

    /// The same visitor, of whom other decisions can be made.
    package func copy() -> Visitor {
        Visitor(
            id: id, state: state, preview: preview, resolved: resolved.copy(), unmerged: unmerged, project: project)
    }

    private static func resolve(_ attributes: consuming JSObject, _ project: Project) -> Attributes {
        Attributes(attributes, in: project.program, verdictCount: project.audiences.count)
    }
}
