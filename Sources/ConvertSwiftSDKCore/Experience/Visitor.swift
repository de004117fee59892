package import ConvertECMAScript

/// A visitor: the id, the attributes of this context, and what is stored.
///
/// ``ExperienceManager/visitor(id:attributes:state:)`` creates a visitor. A decision changes ``state`` in memory, and
/// its effects say what else to do. The type is not copyable, so that no decision copies a visitor by accident. A
/// caller that needs a copy calls ``copy()``.
package struct Visitor: ~Copyable, Sendable {
    /// The visitor's id. Without an id, no decision is made.
    package let id: String

    /// The attributes of this context, without the attributes that became report segments.
    package var attributes: JSObject { unmerged ?? resolved.source }

    /// The stored record, as far as this visitor value knows it.
    package private(set) var state: VisitorState

    /// Attributes and stored segments in the project's slots, with each audience's cached verdict.
    var resolved: Attributes

    /// The context's attributes, if ``resolved`` contains stored segments too; otherwise `nil`.
    private var unmerged: JSObject?

    /// Serial of the project that the slots, the verdicts and the preview belong to.
    // Keep the number: with the project itself here, threads wait for each other.
    private var projectSerial: UInt64

    /// The variation that the visitor previews without being counted.
    var preview: Preview?

    /// Creates a visitor like ``ExperienceManager/visitor(id:attributes:state:)``, for `attributes` without report
    /// segments.
    @inline(__always)
    package static func make(
        id: consuming String, attributes: consuming JSObject, state: consuming VisitorState, project: Project
    ) -> Visitor {
        if state.segments != nil { return merging(id, attributes, state, project) }
        // Keep the memberwise initializer: with any other one, Swift 6.3.1 copies the members.
        return Visitor(
            id: id, state: state, resolved: Attributes(attributes, in: project.program), unmerged: nil,
            projectSerial: project.serial, preview: nil)
    }

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

    /// Binds the visitor to `project`, if it is bound to another project. Slots, verdicts and the preview are valid for
    /// one project only.
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

    /// Applies `change` in memory. The visitor must be bound to `project`.
    package mutating func apply(_ change: VisitorStateChange, in project: Project) {
        state.apply(change)
        if case .segments = change { bind(to: project) }
    }

    package mutating func replaceState(_ state: VisitorState, in project: Project) {
        self.state = state
        bind(to: project)
    }

    package var isPreviewing: Bool { preview != nil }

    package mutating func endPreview() { preview = nil }

    /// The stored segments with the attributes merged over them, and `properties` merged over both.
    func merging(_ properties: JSObject) -> JSObject {
        (state.segments ?? JSObject()).deepMerging(attributes.deepMerging(properties))
    }

    /// A copy, for independent decisions.
    package func copy() -> Visitor {
        Visitor(
            id: id, state: state, resolved: resolved.copy(), unmerged: unmerged, projectSerial: projectSerial,
            preview: preview)
    }
}
