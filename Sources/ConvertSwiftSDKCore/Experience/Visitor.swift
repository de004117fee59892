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

    /// Attributes and stored segments in the project's slots, with the verdict of each audience on them.
    var resolved: Attributes

    /// The context's attributes where stored segments are merged into ``resolved``; `nil` where they are the same.
    private var unmerged: JSObject?

    /// Serial of the project that slots, verdicts and preview belong to. Not the project itself, whose references all threads
    /// count.
    private var projectSerial: UInt64

    /// The variation that the visitor looks at without being counted.
    var preview: Preview?

    @inline(__always)
    static func make(
        id: consuming String, attributes: consuming JSObject, state: consuming VisitorState, project: Project
    ) -> Visitor {
        if state.segments != nil { return merging(id, attributes, state, project) }
        // By the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
        return Visitor(
            id: id, state: state, resolved: Attributes(attributes, in: project.program), unmerged: nil,
            projectSerial: project.serial, preview: nil)
    }

    // Apart: few contexts have segments at first.
    @inline(never)
    private static func merging(
        _ id: String, _ attributes: JSObject, _ state: VisitorState, _ project: Project
    ) -> Visitor {
        Visitor(
            id: id, state: state, resolved: resolve(attributes, state, project), unmerged: attributes,
            projectSerial: project.serial, preview: nil)
    }

    private static func resolve(
        _ attributes: JSObject, _ state: VisitorState, _ project: Project
    ) -> Attributes {
        Attributes(state.segments.map { $0.deepMerging(attributes) } ?? attributes, in: project.program)
    }

    /// Makes a visitor that another project's manager made one of `project`: slots, verdicts and what is previewed belong to
    /// the project they were made with.
    @inline(__always)
    mutating func adopt(_ project: Project) {
        if projectSerial != project.serial { bind(to: project) }
    }

    private mutating func bind(to project: Project) {
        preview = preview.flatMap { $0.project === project ? $0 : Preview(like: $0, in: project) }
        let attributes = attributes
        resolved = Visitor.resolve(attributes, state, project)
        unmerged = state.segments == nil ? nil : attributes
        projectSerial = project.serial
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
        Visitor(
            id: id, state: state, resolved: resolved.copy(), unmerged: unmerged, projectSerial: projectSerial,
            preview: preview)
    }
}

extension Project {
    /// A visitor as ``ExperienceManager/visitor(id:attributes:state:)`` makes one, if there are no report segments among
    /// `attributes`.
    package func visitor(
        id: consuming String, attributesWithoutSegments attributes: consuming JSObject, state: consuming VisitorState
    ) -> Visitor {
        Visitor.make(id: id, attributes: attributes, state: state, project: self)
    }
}
