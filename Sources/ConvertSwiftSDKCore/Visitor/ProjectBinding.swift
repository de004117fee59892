internal import ConvertECMAScript

/// What of a visitor belongs to one project, besides attributes in its slots and verdicts on them.
struct ProjectBinding: Sendable {
    /// Serial of the project. Not the project itself, whose references all threads count.
    var project: UInt64 = 0
    /// The context's attributes where stored segments are merged into those in slots. Else they are the same, and are held
    /// once.
    var unmerged: JSObject?
    /// The variation that the visitor looks at without being counted.
    var preview: Preview?
}
