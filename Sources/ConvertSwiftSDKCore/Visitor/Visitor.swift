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
    package var attributes: JSObject { resolved.binding.unmerged ?? resolved.source }

    /// What is stored, as far as this visitor value knows.
    package private(set) var state: VisitorState

    /// Attributes and stored segments in the project's slots, with the verdict of each audience on them. With it is all that
    /// belongs to the project, so that a visitor is four words, which are handed on in registers (W1).
    var resolved: Attributes

    @inline(__always)
    static func make(
        id: consuming String, attributes: consuming JSObject, state: consuming VisitorState, project: Project
    ) -> Visitor {
        if state.segments != nil { return merging(id, attributes, state, project) }
        // By the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
        return Visitor(
            id: id, state: state,
            resolved: Attributes(attributes, in: project.program, ProjectBinding(project: project.serial)))
    }

    // Apart: few contexts have segments at first.
    @inline(never)
    private static func merging(
        _ id: String, _ attributes: JSObject, _ state: VisitorState, _ project: Project
    ) -> Visitor {
        Visitor(id: id, state: state, resolved: resolve(attributes, state, project))
    }

    private static func resolve(
        _ attributes: JSObject, _ state: VisitorState, _ project: Project, preview: Preview? = nil
    ) -> Attributes {
        Attributes(
            state.segments.map { $0.deepMerging(attributes) } ?? attributes, in: project.program,
            ProjectBinding(
                project: project.serial, unmerged: state.segments == nil ? nil : attributes, preview: preview))
    }

    /// The variation that the visitor looks at without being counted.
    var preview: Preview? {
        get { resolved.binding.preview }
        set { resolved.binding.preview = newValue }
    }

    /// Makes a visitor that another project's manager made one of `project`: slots, verdicts and what is previewed belong to
    /// the project they were made with.
    @inline(__always)
    mutating func adopt(_ project: Project) {
        if resolved.binding.project != project.serial { bind(to: project) }
    }

    private mutating func bind(to project: Project) {
        let preview = preview.flatMap { $0.project === project ? $0 : Preview(like: $0, in: project) }
        resolved = Visitor.resolve(attributes, state, project, preview: preview)
    }

    /// Makes `change` in memory; `project` is the one that was adopted.
    package mutating func apply(_ change: VisitorStateChange, in project: Project) {
        state.apply(change)
        if case .segments = change { bind(to: project) }
    }

    /// Takes `state` for what is stored.
    package mutating func replaceState(_ state: VisitorState, in project: Project) {
        self.state = state
        bind(to: project)
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
        Visitor(id: id, state: state, resolved: resolved.copy())
    }
}
