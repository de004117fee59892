import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// What the context's lock guards.
    struct Guarded {
        /// The visitor; `nil` as long as there is no config.
        var visitor: Visitor?
        var state = State()
    }

    /// What few contexts have, and then for a moment. Behind a reference, because a context is made for every request.
    struct State {
        private struct Members {
            var isLoading = false
            var base = VisitorState()
            var held = VisitorState()
            var holder: Int?
            var unstored: VisitorStateChange?
            var adopted: ConfigSnapshot?
            var lent: ConfigSnapshot?
            var bases: ContextBases?
            var attributes = JSObject()
            var requests = Requests()
        }

        /// One, or none as long as nothing was set.
        private var list: [Members]

        init() { list = [] }

        /// The state of a context that looks in `bases` for its first config.
        init(waiting attributes: JSObject, for bases: ContextBases) {
            list = [Members(bases: bases, attributes: attributes)]
        }

        private var members: Members {
            get { list.first ?? Members() }
            _modify {
                if list.isEmpty { list.append(Members()) }
                yield &list[0]
            }
        }

        /// Forgets everything but `snapshot`, which decides from now on; `nil` is the one that the context was made on.
        mutating func adopt(_ snapshot: ConfigSnapshot?) { list = snapshot.map { [Members(adopted: $0)] } ?? [] }

        /// Whether the visitor's record is being loaded.
        var isLoading: Bool {
            get { list.first?.isLoading ?? false }
            set { members.isLoading = newValue }
        }

        /// What memory had of the visitor when the load began.
        var base: VisitorState {
            get { members.base }
            set { members.base = newValue }
        }

        /// Changes made meanwhile. They are not saved before it is known what they are changes of.
        var held: VisitorState {
            get { members.held }
            _modify { yield &members.held }
        }

        /// The number under which the store's flush knows of them.
        var holder: Int? {
            get { members.holder }
            set { members.holder = newValue }
        }

        /// Report segments among the attributes. They are stored with the first call that may leave a trace, because until
        /// then the context may turn out to be a preview.
        var unstored: VisitorStateChange? {
            get { list.first?.unstored }
            set { members.unstored = newValue }
        }

        /// Whether there is something ``unstored``.
        var hasUnstored: Bool { !list.isEmpty && unstored != nil }

        /// The snapshot that the context adopted, if it was not made on it.
        var adopted: ConfigSnapshot? { list.first?.adopted }

        /// The snapshot that decides while an experience is previewed that the context's own does not have.
        var lent: ConfigSnapshot? {
            get { list.first?.lent }
            set { if newValue != nil || !list.isEmpty { members.lent = newValue } }
        }

        /// The snapshot that decides instead of the one that the context was made on.
        var replacement: ConfigSnapshot? { list.isEmpty ? nil : lent ?? adopted }

        /// Where a context looks for its first config.
        var bases: ContextBases? { list.first?.bases }

        /// The attributes of a context that has no config yet.
        var attributes: JSObject { members.attributes }

        var requests: Requests {
            get { members.requests }
            _modify { yield &members.requests }
        }
    }

    /// What was asked for before there was a config.
    struct Requests {
        private(set) var preview: (experienceID: String, variationID: String)?
        /// Segments and properties, merged in the order in which they came.
        private var segments = JSObject()
        /// Those that came after the preview. They count only if the config does not have it.
        private var segmentsAfterPreview = JSObject()

        mutating func show(_ experienceID: String, _ variationID: String) { preview = (experienceID, variationID) }

        mutating func store(_ new: JSObject) {
            if preview == nil {
                segments = segments.deepMerging(new)
            } else {
                segmentsAfterPreview = segmentsAfterPreview.deepMerging(new)
            }
        }

        func segments(whilePreviewing isPreviewing: Bool) -> JSObject {
            isPreviewing ? segments : segments.deepMerging(segmentsAfterPreview)
        }
    }
}

extension Visitor {
    /// Runs `body` on the visitor in place.
    mutating func run<Result: Sendable>(
        _ state: inout ConvertContext.State, _ snapshot: ConfigSnapshot,
        _ body: (inout ConvertContext.State, ConfigSnapshot, inout Visitor) -> Result
    ) -> Result {
        body(&state, snapshot, &self)
    }
}
