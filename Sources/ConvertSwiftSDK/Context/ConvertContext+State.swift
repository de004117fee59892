import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// What the context's lock guards.
    struct Guarded {
        var live: Live?
        var state = State()

        /// Goes back to the context's own snapshot, if it was lent another one.
        mutating func giveBack() {
            guard let own = state.own else { return }
            live?.snapshot = own
            state.own = nil
        }
    }

    /// A visitor with the config that decides.
    struct Live {
        var snapshot: ConfigSnapshot
        var visitor: Visitor

        /// Runs `body` on the visitor in place.
        mutating func run<Result>(
            _ state: inout State, _ body: (inout State, ConfigSnapshot, inout Visitor) -> sending Result
        ) -> sending Result {
            body(&state, snapshot, &visitor)
        }
    }

    /// What few contexts have, and then for a moment. Behind a reference, because a context is made for every request.
    struct State {
        private struct Members {
            var isLoading = false
            var base = VisitorState()
            var held = VisitorState()
            var holder: Int?
            var unstored: VisitorStateChange?
            var own: ConfigSnapshot?
            var attributes = JSObject()
            var requests = Requests()
        }

        /// One, or none as long as nothing was set.
        private var list: [Members]

        init() { list = [] }

        init(attributes: JSObject) { list = [Members(attributes: attributes)] }

        private var members: Members {
            get { list.first ?? Members() }
            _modify {
                if list.isEmpty { list.append(Members()) }
                yield &list[0]
            }
        }

        /// Forgets everything.
        mutating func clear() { list = [] }

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

        /// The snapshot to go back to when a preview of an experience that it does not have ends.
        var own: ConfigSnapshot? {
            get { list.first?.own }
            set { members.own = newValue }
        }

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
