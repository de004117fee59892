package import ConvertECMAScript

/// Puts visitors into segments.
package struct SegmentsManager: Sendable {
    let project: Project

    package init(project: Project) { self.project = project }

    /// Stores report segments: `country`, `browser`, `devices`, `source`, `campaign`, `visitorType`, `customSegments`.
    /// Other members of `segments` are ignored, and values are not validated. Does nothing in a preview.
    package func setDefaultSegments(_ segments: JSObject, for visitor: inout Visitor) -> Answer<Decision.Reason?> {
        visitor.adopt(project)
        let segments = ReportSegments.split(segments).segments
        guard visitor.preview == nil, !segments.isEmpty else { return Answer(nil) }
        return store(segments, for: &visitor)
    }

    /// Puts the visitor into the custom segments whose rules match.
    ///
    /// As in the reference, segments are evaluated in config order. After the first match, the later segments are added
    /// without evaluation. In a preview, segments are evaluated but not added.
    ///
    /// - Parameters:
    ///   - keys: the segments' keys; unknown keys are ignored.
    ///   - ruleData: properties merged over the visitor's own.
    /// - Returns: why the evaluation ended early, or `nil`. The reference throws on a segment without rules or with
    ///   malformed rules, and on stored custom segments that are neither a list nor text.
    package func runCustomSegments(
        _ keys: [String], ruleData: JSObject = JSObject(), for visitor: inout Visitor
    ) -> Answer<Decision.Reason?> {
        runCustomSegments(keys, ruleData: ruleData, for: &visitor, observer: SilentObserver())
    }

    /// Puts the visitor into custom segments, and passes the steps of the rules' evaluation to `observer`.
    func runCustomSegments(
        _ keys: [String], ruleData: JSObject, for visitor: inout Visitor, observer: some DecisionObserver
    ) -> Answer<Decision.Reason?> {
        visitor.adopt(project)
        guard !visitor.id.isEmpty else { return Answer(nil) }
        var effects: [DecisionEffect] = []
        let wanted = Set(keys.map { PropertyKey($0) })
        var attributes = Attributes(visitor.merging(ruleData), in: project.program)
        let stored = visitor.state.storedCustomSegments
        var added: [JSValue] = []
        var isMatched = false
        var budget = project.callBudget
        for (index, segment) in project.config.segments.enumerated()
        where segment.entityKey.isText && wanted.contains(segment.entityKey.lookUp) {
            if !isMatched {
                guard let rules = project.ruleSets.segments[index] else {
                    return Answer(.malformedRules, effects: effects)
                }
                let verdict = project.verdict(of: rules, for: .segment(index), on: &attributes, &budget, observer)
                if effects.isEmpty, let condition = budget.firstAbandoned {
                    effects.append(project.warning(about: condition))
                }
                switch verdict {
                case .matched: isMatched = true
                case .malformed: return Answer(.malformedRules, effects: effects)
                default: continue
                }
            }
            if case .unusable = stored { return Answer(.malformedRules, effects: effects) }
            let id = segment.id.key.value
            if !stored.contains(id) { added.append(id) }
        }
        // A preview returns only here, because malformed rules make the reference throw in a preview too.
        if added.isEmpty || visitor.preview != nil { return Answer(nil, effects: effects) }
        var segments = visitor.state.segments?.reportSegmentsWithDuplicates ?? JSObject()
        segments[VisitorState.customSegments] = .array(stored.elements + added)
        return Answer(nil, effects: effects + store(segments, for: &visitor).effects)
    }

    /// Stores segments or properties, unless the record consists of exactly these segments.
    package func store(_ segments: JSObject, for visitor: inout Visitor) -> Answer<Decision.Reason?> {
        if visitor.state.isOnlySegments(segments) { return Answer(nil) }
        visitor.apply(.segments(segments), in: project)
        return Answer(nil, effects: [.store(.segments(segments))])
    }
}

extension JSObject {
    /// The report segments whose lists contain duplicates. Together with custom segments, the reference stores all
    /// report segments again. It so merges each list with itself, which removes duplicates.
    fileprivate var reportSegmentsWithDuplicates: JSObject {
        var segments = JSObject()
        for member in deepMerging(self) where ReportSegments.contains(member.key) {
            guard let stored = self[member.key], stored != member.value else { continue }
            segments[member.key] = stored
        }
        return segments
    }
}
