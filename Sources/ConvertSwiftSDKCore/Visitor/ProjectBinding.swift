internal import ConvertECMAScript

/// What of a visitor belongs to one project, besides attributes in its slots and verdicts on them.
struct ProjectBinding: Sendable {
    /// Serial of the project. Not the project itself, whose references all threads count.
    private(set) var project: UInt64 = 0

    private var details: Details?

    /// What few visitors have. Immutable, so that copies share it.
    private final class Details: Sendable {
        let unmerged: JSObject?
        let preview: Preview?

        init(unmerged: JSObject?, preview: Preview?) {
            self.unmerged = unmerged
            self.preview = preview
        }
    }

    /// Nothing, of attributes that are no visitor's.
    init() {}

    @inline(__always)
    init(project: UInt64) { self.project = project }

    init(project: UInt64, unmerged: JSObject?, preview: Preview?) {
        self.project = project
        if unmerged != nil || preview != nil { details = Details(unmerged: unmerged, preview: preview) }
    }

    /// Whether there is more than a number.
    var hasDetails: Bool { @inline(__always) get { details != nil } }

    /// The context's attributes where stored segments are merged into those in slots; `nil` where they are the same.
    var unmerged: JSObject? { details?.unmerged }

    /// The variation that the visitor looks at without being counted.
    var preview: Preview? {
        get { details?.preview }
        set { self = ProjectBinding(project: project, unmerged: unmerged, preview: newValue) }
    }
}
