public import ConvertECMAScript

/// A visitor as decisions see one: the id, the attributes of this context, and what is stored.
///
/// A value. ``ExperienceManager/visitor(id:attributes:state:)`` makes one; deciding changes ``state`` in memory and says
/// in the decision's effects what else is to be done.
public struct Visitor: Sendable {
    /// The visitor's id; with an empty one nothing is decided.
    public let id: String

    /// The attributes of this context, without those that became report segments.
    public let attributes: JSObject

    /// What is stored, as far as this visitor value knows.
    public private(set) var state: VisitorState

    /// The variation that the visitor looks at without being counted.
    var preview: Preview?

    /// Attributes and stored segments in the project's slots, with the verdict of each audience on them.
    var resolved: ResolvedAttributes

    /// What `resolved` was made with.
    private var project: CompiledProject

    init(id: String, attributes: JSObject, state: VisitorState, project: CompiledProject) {
        self.id = id
        self.attributes = attributes
        self.state = state
        self.project = project
        resolved = Visitor.resolve(state.segments, attributes, project)
    }

    /// Makes a visitor that another project's manager made one of `project`: slots, verdicts and what is previewed belong to
    /// the project they were made with.
    @inline(__always)
    mutating func adopt(_ project: CompiledProject) {
        if self.project !== project { rebind(to: project) }
    }

    private mutating func rebind(to project: CompiledProject) {
        self.project = project
        resolved = Visitor.resolve(state.segments, attributes, project)
        preview = preview.flatMap { Preview(like: $0, in: project) }
    }

    /// Makes `change` in memory.
    package mutating func apply(_ change: VisitorStateChange) {
        state.apply(change)
        if case .segments = change { resolved = Visitor.resolve(state.segments, attributes, project) }
    }

    /// Takes `state` for what is stored.
    package mutating func replaceState(_ state: VisitorState) {
        self.state = state
        resolved = Visitor.resolve(state.segments, attributes, project)
    }

    /// Whether the visitor looks at a variation without being counted.
    package var isPreviewing: Bool { preview != nil }

    /// The attributes with `properties` merged over them, which decide one call.
    func merging(_ properties: JSObject) -> JSObject {
        (state.segments ?? JSObject()).deepMerging(attributes.deepMerging(properties))
    }

    /// A copy that shares no verdicts, to be decided anew.
    func withoutVerdicts() -> Visitor {
        var copy = self
        copy.resolved.forgetVerdicts()
        return copy
    }

    private static func resolve(
        _ segments: JSObject?, _ attributes: JSObject, _ project: CompiledProject
    ) -> ResolvedAttributes {
        let merged = segments.map { $0.deepMerging(attributes) } ?? attributes
        return ResolvedAttributes(merged, in: project.program.attributes, verdictCount: project.audiences.count)
    }
}
