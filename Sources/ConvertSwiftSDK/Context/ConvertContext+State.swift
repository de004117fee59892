import ConvertECMAScript
import ConvertSwiftSDKCore

extension ConvertContext {
    /// What the context's lock guards.
    struct Guarded: ~Copyable {
        /// The visitor; `nil` as long as there is no config.
        var visitor: Visitor?
        var state = State()
    }

    /// A context that waits for a config.
    struct Waiting {
        /// Where it looks for one.
        let bases: ContextBases
        let attributes: JSObject
        var requests = Requests()
    }

    /// What few contexts have, and then for a moment.
    struct Details {
        /// What waits for a config; `nil` once there is one.
        var waiting: Waiting?
        /// Report segments among the attributes. They are stored with the first call that may leave a trace, because
        /// until then the context may turn out to be a preview.
        var unstored: VisitorStateChange?
        /// The snapshot that the context adopted, if it was not made on it.
        var adopted: ConfigSnapshot?
        /// The snapshot that decides while an experience is previewed that the context's own does not have.
        var borrowed: ConfigSnapshot?
    }

    /// Where a context stands. Its details lie behind a reference, because a context is made for every request.
    struct State {
        /// The visitor's record, once the context knows of one.
        var record: VisitorRecord?
        /// The revision of ``record`` that the visitor's state is of; without a record, the generation of all records
        /// when there was none.
        var revision = 0
        /// Whether something that the context did found no room on its way to the ledger.
        var isUnstored = false
        /// One element; `nil` as long as there is nothing to tell.
        private var list: [Details]?

        init() {}

        init(waiting: Waiting) { list = [Details(waiting: waiting)] }

        /// Whether all details are as they are at most times.
        var isPlain: Bool { @inline(__always) get { list == nil } }

        var details: Details {
            get { list?.first ?? Details() }
            _modify {
                // Taken out, so that nothing else holds the list and changing it copies nothing.
                var details = list.take() ?? [Details()]
                defer { list = details }
                yield &details[0]
            }
        }

        /// Whether there is something ``Details/unstored``.
        var hasUnstored: Bool { @inline(__always) get { !isPlain && details.unstored != nil } }

        /// The snapshot that decides instead of the one that the context was made on.
        var replacement: ConfigSnapshot? { list.flatMap { $0[0].borrowed ?? $0[0].adopted } }

        /// What the context waits for a config with; `nil` if it has one.
        var waiting: Waiting? { list?[0].waiting }
    }

    /// What was asked for before there was a config.
    struct Requests {
        private(set) var preview: (experienceID: String, variationID: String)?
        /// Segments and properties in the order in which they came.
        private var segments: SegmentWrites?
        /// Those that came after the preview. They count only if the config does not have it.
        private var segmentsAfterPreview: SegmentWrites?

        mutating func show(_ experienceID: String, _ variationID: String) { preview = (experienceID, variationID) }

        mutating func store(_ new: JSObject) {
            if preview == nil {
                segments.append(new)
            } else {
                segmentsAfterPreview.append(new)
            }
        }

        /// What is to be stored; `nil` if nothing was asked for, which an empty set is not.
        func segments(whilePreviewing isPreviewing: Bool) -> SegmentWrites? {
            guard !isPreviewing, let segmentsAfterPreview else { return segments }
            var all = segments
            for round in segmentsAfterPreview.rounds { all.append(round) }
            return all
        }
    }
}

extension SegmentWrites? {
    /// Appends a write, which may be the first.
    fileprivate mutating func append(_ segments: JSObject) {
        guard var writes = self else { return self = SegmentWrites(segments) }
        writes.append(segments)
        self = writes
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
