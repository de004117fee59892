package import ConvertECMAScript

/// Decides which variations a visitor sees.
///
///     let manager = ExperienceManager(project: Project(config), environment: "production")
///     var visitor = manager.visitor(id: "visitor-1", attributes: ["plan": "pro"])
///     let decision = manager.selectVariation("checkout-button", for: &visitor)
///     decision.variation?.variationKey
///
/// Pure and synchronous: it takes values and returns values, reads no clock and does no I/O. What is to be stored or
/// reported stands in the decision's effects. Safe to share between threads; a visitor is the caller's own value.
package struct ExperienceManager: Sendable {
    /// What decisions are made on.
    package let project: Project

    let storage: ManagerStorage

    /// The environment that experiences must run in, unless a call names another.
    package var environment: String { storage.environment }

    /// A manager of `project`.
    package init(project: Project, environment: String = "staging") {
        self.project = project
        storage = ManagerStorage(project, environment: environment)
    }

    /// A visitor to decide for.
    ///
    /// - Parameters:
    ///   - id: the visitor's id.
    ///   - attributes: the visitor's properties. Report segments among them (`country`, `browser`, `devices`, `source`,
    ///     `campaign`, `visitorType`, `customSegments`) leave the attributes and are merged into the stored segments.
    ///   - state: what is stored about the visitor.
    /// - Returns: the visitor. If attributes became segments, its `state` has a change to store:
    ///   ``segmentChange(in:)`` tells which.
    package func visitor(
        id: consuming String, attributes: consuming JSObject = JSObject(),
        state: consuming VisitorState = VisitorState()
    ) -> Visitor {
        if ReportSegments.areAmong(attributes) {
            let (segments, properties) = ReportSegments.split(attributes)
            state.apply(.segments(segments))
            attributes = properties
        }
        return Visitor.make(id: id, attributes: attributes, state: state, project: project)
    }

    /// The change to store that making a visitor with `attributes` implies, or `nil` if there is none.
    package func segmentChange(in attributes: JSObject) -> VisitorStateChange? {
        ReportSegments.areAmong(attributes) ? .segments(ReportSegments.split(attributes).segments) : nil
    }

    /// Decides one experience.
    ///
    /// - Parameters:
    ///   - key: the experience's key; of several with one key the first in the config is meant.
    ///   - visitor: the visitor; stored changes are made in its state.
    ///   - options: what this call says.
    /// - Returns: the variation or the reason for none, and the effects. It takes time linear to the rules reached.
    package func selectVariation(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Decision {
        decide(project.experience(key: key), for: &visitor, options: options, identifiesByID: false)
    }

    /// Decides one experience by its id, as ``selectVariation(_:for:options:)`` does by key.
    package func selectVariation(
        id: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Decision {
        decide(project.experience(id: id), for: &visitor, options: options, identifiesByID: true)
    }

    @inline(__always)
    private func decide(
        _ experience: Int?, for visitor: inout Visitor, options: DecisionOptions, identifiesByID: Bool
    ) -> Decision {
        visitor.adopt(project)
        if let preview = visitor.preview, let experience,
            preview.isMeant(by: experience, identifiesByID: identifiesByID)
        {
            return preview.decision
        }
        let isPreviewing = visitor.preview != nil
        let properties = options.visitorProperties.flatMap { visitor.properties(addedBy: $0) }
        return withUnsafePointer(to: options) { options in
            var evaluator = DecisionEvaluator.make(
                manager: self, options: options, isPreviewing: isPreviewing, identifiesByID: identifiesByID,
                callProperties: properties)
            return decide(experience, by: &evaluator, for: &visitor)
        }
    }

    /// Decides one experience, warnings included.
    @inline(__always)
    private func decide(
        _ experience: Int?, by evaluator: inout DecisionEvaluator, for visitor: inout Visitor
    ) -> Decision {
        var observer = WarningCollector()
        let decision = evaluator.decide(experience, in: project, for: &visitor, observer: &observer)
        if observer.abandoned.isEmpty { return decision }
        return Decision(
            outcome: decision.outcome, effects: decision.effects + project.warnings(about: observer.abandoned))
    }

    /// Decides one experience of several. Not inlined, which pays off only where it is the whole call.
    @inline(never)
    private func decideNext(
        _ experience: Int?, by evaluator: inout DecisionEvaluator, for visitor: inout Visitor
    ) -> Decision {
        decide(experience, by: &evaluator, for: &visitor)
    }

    /// Decides every experience, in config order, each knowing the decisions before it.
    ///
    /// - Returns: one decision per experience. Under ``RuleSemantics/javaScript`` the list ends with the first experience
    ///   on which the reference throws.
    package func selectVariations(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> [Decision] {
        var decisions: [Decision] = []
        decisions.reserveCapacity(project.experiences.count)
        forEachDecision(for: &visitor, options: options) { decisions.append($0) }
        return decisions
    }

    /// Decides every experience and hands each decision to `body`, without a list of them. A previewed variation comes
    /// last.
    package func forEachDecision(
        for visitor: inout Visitor, options: DecisionOptions = DecisionOptions(), _ body: (Decision) -> Void
    ) {
        visitor.adopt(project)
        let preview = visitor.preview
        let isComplete = forEachOrdinaryDecision(
            for: &visitor, options: options, skipping: preview.map { project.experiences[$0.experience].keyOwner }, body
        )
        if let preview, isComplete { body(preview.decision) }
    }

    /// Whether the experience at `index` has one of `keys`.
    func isAmong(_ keys: Set<PropertyKey>, _ index: Int) -> Bool {
        let key = project.model(index).entityKey
        return key.isText && keys.contains(key.lookUp)
    }

    /// Decides experiences without regard to what the visitor previews.
    ///
    /// - Parameters:
    ///   - carriers: places of the experiences to decide, as ``Project/carriers(ofFeature:)`` has them; `nil` means
    ///     all.
    ///   - keys: keys of the experiences to decide; empty means all.
    ///   - skipped: the first experience of those with its key, whose decision is not handed on.
    /// - Returns: whether every experience was decided.
    @discardableResult
    func forEachOrdinaryDecision(
        for visitor: inout Visitor, options: DecisionOptions, among carriers: PoolRange? = nil,
        keys: Set<PropertyKey> = [],
        skipping skipped: Int? = nil, _ body: (Decision) -> Void
    ) -> Bool {
        visitor.adopt(project)
        let isPreviewing = visitor.preview != nil
        let properties = options.visitorProperties.flatMap { visitor.properties(addedBy: $0) }
        return withUnsafePointer(to: options) { options in
            var evaluator = DecisionEvaluator.make(
                manager: self, options: options, isPreviewing: isPreviewing, callProperties: properties)
            for place in carriers?.indices ?? project.experiences.indices {
                let index = carriers == nil ? place : project.carrier(at: place)
                if !keys.isEmpty && !isAmong(keys, index) { continue }
                // The reference walks the keys and looks each one up again, which finds the first of several.
                let first = project.experiences[index].keyOwner
                let decision = decideNext(first, by: &evaluator, for: &visitor)
                let isThrown = decision.reason?.isThrownByReference ?? false
                let endsTheCall = isThrown && project.options.semantics.letsErrorsEndTheCall
                // What ends the call is told even of an experience that is not asked for.
                if first != skipped || endsTheCall { body(decision) }
                if endsTheCall { return false }
            }
            return true
        }
    }
}
