import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// The state that the context's lock protects.
    struct Guarded: ~Copyable {
        /// The visitor; `nil` as long as there is no config.
        var visitor: Visitor?
        var state = State()
    }

    /// The data of a context that waits for a config.
    struct Waiting {
        /// The bases, which will have the config.
        let bases: ContextBases
        let attributes: JSObject
        var requests = Requests()
    }

    /// State that few contexts have, and only for a short time.
    struct Details {
        /// The requests that wait for a config; `nil` once there is a config.
        var waiting: Waiting?
        /// Report segments from the attributes. They are stored with the first call that may store something: until
        /// then the context may become a preview.
        var unstored: VisitorStateChange?
        /// The snapshot that the context adopted later, if it was not created with one.
        var adopted: ConfigSnapshot?
        /// The snapshot that decides while the context previews an experience that its own snapshot does not have.
        var borrowed: ConfigSnapshot?
    }

    /// The state of a context. Its details are behind a reference, because a context is created for every request.
    struct State {
        /// The visitor's record; `nil` until the context has found one.
        var record: VisitorRecord?
        /// The revision of ``record`` that the visitor's state has. Without a record: the generation of all records at
        /// the last look-up.
        var revision = 0
        /// Whether the ledger's queue had no room for something that the context did.
        var isUnstored = false
        /// One element, or `nil` if all details have their defaults.
        private var list: [Details]?

        init() {}

        init(waiting: Waiting) { list = [Details(waiting: waiting)] }

        /// Whether all details have their defaults.
        var isPlain: Bool { @inline(__always) get { list == nil } }

        var details: Details {
            get { list?.first ?? Details() }
            _modify {
                // Take the array out of its property: a change of a shared array copies it.
                var details = list.take() ?? [Details()]
                defer { list = details }
                yield &details[0]
            }
        }

        /// Whether there are ``Details/unstored`` segments.
        var hasUnstored: Bool { @inline(__always) get { !isPlain && details.unstored != nil } }

        /// The snapshot that decides in place of the context's first snapshot.
        var replacement: ConfigSnapshot? { list.flatMap { $0[0].borrowed ?? $0[0].adopted } }

        /// The data of the wait for a config; `nil` if there is a config.
        var waiting: Waiting? { list?[0].waiting }
    }

    /// Calls from before there was a config.
    struct Requests {
        private(set) var preview: (experienceID: String, variationID: String)?
        /// Segments and properties in the order of the calls; `nil` if there was no call.
        private var segments: SegmentWrites?
        /// The segments from calls before the preview. Only they count if the config has the previewed variation.
        private var segmentsBeforePreview: SegmentWrites?

        mutating func show(_ experienceID: String, _ variationID: String) {
            if preview == nil { segmentsBeforePreview = segments }
            preview = (experienceID, variationID)
        }

        mutating func store(_ new: JSObject) {
            if segments == nil { segments = SegmentWrites(new) } else { segments?.append(new) }
        }

        /// The segments to store; `nil` if there was no call. A call with an empty set is not `nil`.
        func segments(whilePreviewing isPreviewing: Bool) -> SegmentWrites? {
            isPreviewing ? segmentsBeforePreview : segments
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
