public import ConvertECMAScript
public import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Stores report segments of the visitor: `country`, `browser`, `devices`, `source`, `campaign`, `visitorType` and
    /// `customSegments`. Other members are ignored. Does nothing while a variation is previewed.
    ///
    /// Before there is a config, the segments are kept, and stored with the context's first call that finds a config.
    public func setDefaultSegments(_ segments: JSObject) {
        // Outside of the context's lock, since this may log.
        let segments = keepable(segments)
        change {
            let report = ReportSegments.split(segments).segments
            if !report.isEmpty { $0.store(report) }
        } with: { snapshot, visitor in
            snapshot.segments.setDefaultSegments(segments, for: &visitor)
        }
    }

    /// Adds the visitor to the custom segments whose rules match the visitor's properties with `ruleData` merged over
    /// them.
    ///
    /// As in the JavaScript SDK, once one segment matches, the later ones among `keys`, in config order, are added too.
    /// - Returns: the reason if nothing could be decided: a segment has no rules or malformed ones, or there is no
    ///   config yet; otherwise `nil`.
    @discardableResult
    public func runCustomSegments(_ keys: [String], ruleData: JSObject = JSObject()) -> Decision.Reason? {
        warn(ofUnknownSegments: keys)
        return change(with: { snapshot, visitor in
            snapshot.segments.runCustomSegments(keys, ruleData: ruleData, for: &visitor)
        })
    }

    /// Stores properties of the visitor, so that they also count in the visitor's later contexts, like segments.
    ///
    /// Does nothing while a variation is previewed, or if the visitor's id is empty. Before there is a config, the
    /// properties are kept, and stored with the context's first call that finds a config. Values that nest arrays and
    /// objects more than 512 levels deep are left out, with a warning.
    public func updateVisitorProperties(_ properties: JSObject) {
        let properties = keepable(properties)
        change {
            if !visitorID.isEmpty { $0.store(properties) }
        } with: { snapshot, visitor in
            // An empty set is stored if there are no segments: events distinguish the two.
            guard !visitor.id.isEmpty, !visitor.isPreviewing, !properties.isEmpty || visitor.state.segments == nil
            else {
                return Answer(nil)
            }
            return snapshot.segments.store(properties, for: &visitor)
        }
    }

    /// Stores report segments from Swift values, like ``setDefaultSegments(_:)-(JSObject)``. Values that are `nil` are
    /// left out.
    @_disfavoredOverload
    public func setDefaultSegments(_ segments: SwiftProperties) { setDefaultSegments(segments.object) }

    /// Adds the visitor to the custom segments whose rules match, like ``runCustomSegments(_:ruleData:)-(_,JSObject)``,
    /// with Swift values as rule data. Values that are `nil` are left out.
    @_disfavoredOverload
    @discardableResult
    public func runCustomSegments(_ keys: [String], ruleData: SwiftProperties) -> Decision.Reason? {
        runCustomSegments(keys, ruleData: ruleData.object)
    }

    /// Stores properties of the visitor from Swift values, like ``updateVisitorProperties(_:)-(JSObject)``. Values that
    /// are `nil` are left out.
    @_disfavoredOverload
    public func updateVisitorProperties(_ properties: SwiftProperties) {
        updateVisitorProperties(properties.object)
    }

    @discardableResult
    private func change(
        orRequest request: (inout Requests) -> Void = { _ in },
        with body: (ConfigSnapshot, inout Visitor) -> Answer<Decision.Reason?>
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
        return change.value
    }

    /// The state of the visitor: decisions, locations, segments and goals. Empty before there is a config.
    public var visitorData: VisitorState { withVisitor { _, _, visitor in visitor.state } ?? VisitorState() }

    /// Waits until the visitor's record was loaded from the ledger or loading failed, for at most `timeout`. Returns at
    /// once without a ledger.
    public func waitUntilLoaded(atMost timeout: Duration) async {
        guard basis.hasLedger, isConfigured else { return }
        let record = state.withLock { $0.state.record }
        _ = await record?.loadEnd?.wait(until: engine.time.now + timeout, by: engine.time)
    }

    /// Whether there is a config to decide on.
    public var isConfigured: Bool { withVisitor { _, _, _ in true } ?? false }

    /// The config that the context decides on; `nil` before the first config.
    ///
    ///     let experience = context.config?.experiences[key: "checkout"]
    public var config: ProjectConfig? { withVisitor { _, snapshot, _ in snapshot.config } }
}
