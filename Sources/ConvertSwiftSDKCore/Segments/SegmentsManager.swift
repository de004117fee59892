package import ConvertECMAScript

/// Puts visitors into segments.
package struct SegmentsManager: Sendable {
    let project: Project

    /// A manager of `project`.
    package init(project: Project) { self.project = project }

    /// Stores report segments: `country`, `browser`, `devices`, `source`, `campaign`, `visitorType`, `customSegments`.
    /// Anything else among `segments` is left out; nothing is validated.
    package func setDefaultSegments(_ segments: JSObject, for visitor: inout Visitor) -> SegmentsChange {
        visitor.adopt(project)
        let segments = ReportSegments.split(segments).segments
        guard visitor.preview == nil, !segments.isEmpty else { return SegmentsChange(effects: [], reason: nil) }
        return store(segments, for: &visitor)
    }

    /// Puts the visitor into the custom segments whose rules match.
    ///
    /// As in the reference, the segments are looked at in config order, and once one matches, the later ones are added
    /// without being looked at.
    /// - Parameters:
    ///   - keys: the segments' keys; unknown ones are left out.
    ///   - ruleData: properties merged over the visitor's own.
    ///   - visitor: the visitor; the stored change is made in its state.
    package func runCustomSegments(
        _ keys: [String], ruleData: JSObject = JSObject(), for visitor: inout Visitor
    ) -> SegmentsChange {
        runCustomSegments(keys, ruleData: ruleData, for: &visitor) { rules, _, data, patterns in
            project.verdict(of: rules, on: data, &patterns)
        }
    }

    /// - Parameter verdict: evaluates the rules of the segment at an index.
    func runCustomSegments(
        _ keys: [String], ruleData: JSObject, for visitor: inout Visitor,
        verdict: (CompiledRules, _ segment: Int, JSObject, inout PatternBudget) -> RuleVerdict
    ) -> SegmentsChange {
        visitor.adopt(project)
        guard !visitor.id.isEmpty, visitor.preview == nil else { return SegmentsChange(effects: [], reason: nil) }
        var effects: [DecisionEffect] = []
        let wanted = Set(keys.map { PropertyKey($0) })
        let data = visitor.merging(ruleData)
        let stored = visitor.state.storedCustomSegments
        var added: [JSValue] = []
        var isMatched = false
        var patterns = project.patternBudget
        for (index, segment) in project.config.segments.enumerated()
        where segment.entityKey.isText && wanted.contains(segment.entityKey.lookUp) {
            if !isMatched {
                guard let rules = project.segmentRules[index] else {
                    return SegmentsChange(effects: effects, reason: .malformedRules)
                }
                let verdict = verdict(rules, index, data, &patterns)
                if effects.isEmpty, let condition = patterns.firstAbandoned {
                    effects.append(project.warning(about: condition))
                }
                switch verdict {
                case .matched: isMatched = true
                case .malformed: return SegmentsChange(effects: effects, reason: .malformedRules)
                default: continue
                }
            }
            if case .unusable = stored { return SegmentsChange(effects: effects, reason: .malformedRules) }
            let id = segment.id.key.value
            if !stored.contains(id) { added.append(id) }
        }
        if added.isEmpty { return SegmentsChange(effects: effects, reason: nil) }
        var segments = JSObject()
        segments[VisitorState.customSegments] = .array(stored.elements + added)
        return SegmentsChange(effects: effects + store(segments, for: &visitor).effects, reason: nil)
    }

    private func store(_ segments: JSObject, for visitor: inout Visitor) -> SegmentsChange {
        visitor.apply(.segments(segments), in: project)
        return SegmentsChange(effects: [.store(.segments(segments))], reason: nil)
    }
}
