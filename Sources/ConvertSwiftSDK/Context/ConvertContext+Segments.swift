public import ConvertECMAScript
public import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Stores report segments of the visitor: `country`, `browser`, `devices`, `source`, `campaign`, `visitorType`,
    /// `customSegments`. Anything else is left out. Nothing happens while a variation is previewed.
    ///
    /// Before there is a config they are kept, and stored with the context's first call that finds one.
    public func setDefaultSegments(_ segments: JSObject) {
        // Outside the context's lock, since it may log.
        let segments = keepable(segments)
        change {
            let report = ReportSegments.split(segments).segments
            if !report.isEmpty { $0.store(report) }
        } with: { snapshot, visitor in
            snapshot.segments.setDefaultSegments(segments, for: &visitor)
        }
    }

    /// Puts the visitor into the custom segments whose rules match the visitor's properties with `ruleData` over them.
    ///
    /// As in the JavaScript SDK, once one segment matches, the later ones of `keys`, in config order, are added too.
    /// - Returns: why nothing could be decided: a segment has no rules or malformed ones, or there is no config yet.
    @discardableResult
    public func runCustomSegments(_ keys: [String], ruleData: JSObject = JSObject()) -> Decision.Reason? {
        warn(ofUnknownSegments: keys)
        return change(with: { snapshot, visitor in
            snapshot.segments.runCustomSegments(keys, ruleData: ruleData, for: &visitor)
        })
    }

    /// Stores properties of the visitor, so that they count in the visitor's later contexts too, as segments do.
    ///
    /// Nothing happens while a variation is previewed, or if the visitor's id is empty. Before there is a config they
    /// are kept, and stored with the context's first call that finds one. Values that nest arrays and objects more than
    /// 512 deep are left out, with a warning.
    public func updateVisitorProperties(_ properties: JSObject) {
        let properties = keepable(properties)
        change {
            if !visitorID.isEmpty { $0.store(properties) }
        } with: { snapshot, visitor in
            // An empty set counts as long as there are no segments: events tell the two apart.
            guard !visitor.id.isEmpty, !visitor.isPreviewing, !properties.isEmpty || visitor.state.segments == nil
            else {
                return SegmentsChange(effects: [], reason: nil)
            }
            return snapshot.segments.store(properties, for: &visitor)
        }
    }

    /// Stores report segments from Swift values, of which those that are `nil` are left out, as
    /// ``setDefaultSegments(_:)-(JSObject)`` does.
    @_disfavoredOverload
    public func setDefaultSegments(_ segments: SwiftProperties) { setDefaultSegments(segments.object) }

    /// Puts the visitor into the custom segments whose rules match, with Swift values as rule data; those that are
    /// `nil` are left out. It is ``runCustomSegments(_:ruleData:)-(_,JSObject)`` otherwise.
    @_disfavoredOverload
    @discardableResult
    public func runCustomSegments(_ keys: [String], ruleData: SwiftProperties) -> Decision.Reason? {
        runCustomSegments(keys, ruleData: ruleData.object)
    }

    /// Stores properties of the visitor from Swift values, of which those that are `nil` are left out, as
    /// ``updateVisitorProperties(_:)-(JSObject)`` does.
    @_disfavoredOverload
    public func updateVisitorProperties(_ properties: SwiftProperties) {
        updateVisitorProperties(properties.object)
    }

    @discardableResult
    private func change(
        orRequest request: (inout Requests) -> Void = { _ in },
        with body: (ConfigSnapshot, inout Visitor) -> SegmentsChange
    ) -> Decision.Reason? {
        let answer = withVisitor(orRequest: request) { state, snapshot, visitor in
            let change = body(snapshot, &visitor)
            if !visitorID.isEmpty {
                _ = commit(change.effects, of: snapshot, isPreviewing: visitor.isPreviewing, &state)
            }
            return (change, snapshot)
        }
        guard let (change, snapshot) = answer else { return .sdkNotReady }
        tell(change.effects, of: snapshot)
        return change.reason
    }

    /// What is known about the visitor: decisions, locations, segments and goals.
    public var visitorData: VisitorState { withVisitor { _, _, visitor in visitor.state } ?? VisitorState() }

    /// Waits until the visitor's record was loaded from the ledger, or that failed. Without a ledger it returns at
    /// once.
    public func waitUntilLoaded(atMost timeout: Duration) async {
        guard basis.hasLedger, isConfigured else { return }
        let record = state.withLock { $0.state.record }
        _ = await record?.loadEnd?.wait(until: engine.time.now + timeout, by: engine.time)
    }

    /// Whether there is a config to decide on.
    public var isConfigured: Bool { withVisitor { _, _, _ in true } ?? false }
}
