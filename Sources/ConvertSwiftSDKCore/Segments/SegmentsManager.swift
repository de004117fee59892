package import ConvertECMAScript

/// Puts visitors into segments.
package struct SegmentsManager: Sendable {
    let project: Project

    /// Creates a manager of `project`.
    package init(project: Project) { self.project = project }

    /// Stores report segments: `country`, `browser`, `devices`, `source`, `campaign`, `visitorType`, `customSegments`.
    /// Other members of `segments` are ignored, and values are not validated. Does nothing in a preview.
    package func setDefaultSegments(_ segments: JSObject, for visitor: inout Visitor) -> SegmentsChange {
        visitor.adopt(project)
        let segments = ReportSegments.split(segments).segments
        guard visitor.preview == nil, !segments.isEmpty else { return SegmentsChange(effects: [], reason: nil) }
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
    ///   - visitor: the visitor; the change to store is applied to its state.
    package func runCustomSegments(
        _ keys: [String], ruleData: JSObject = JSObject(), for visitor: inout Visitor
    ) -> SegmentsChange {
        runCustomSegments(keys, ruleData: ruleData, for: &visitor) { rules, _, attributes, budget in
            project.verdict(of: rules, on: &attributes, &budget)
        }
    }

    /// Puts the visitor into custom segments with another way to evaluate rules.
    ///
    /// - Parameter verdict: evaluates the rules of the segment at an index.
    func runCustomSegments(
        _ keys: [String], ruleData: JSObject, for visitor: inout Visitor,
        verdict: (CompiledRules, _ segment: Int, inout Attributes, inout CallBudget) -> RuleVerdict
    ) -> SegmentsChange {
        visitor.adopt(project)
        guard !visitor.id.isEmpty else { return SegmentsChange(effects: [], reason: nil) }
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
                    return SegmentsChange(effects: effects, reason: .malformedRules)
                }
                let verdict = verdict(rules, index, &attributes, &budget)
                if effects.isEmpty, let condition = budget.firstAbandoned {
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
        // A preview returns only here, because malformed rules make the reference throw in a preview too.
        if added.isEmpty || visitor.preview != nil { return SegmentsChange(effects: effects, reason: nil) }
        var segments = visitor.state.segments?.reportSegmentsWithDuplicates ?? JSObject()
        segments[VisitorState.customSegments] = .array(stored.elements + added)
        return SegmentsChange(effects: effects + store(segments, for: &visitor).effects, reason: nil)
    }

    /// Stores segments or properties, unless the record consists of exactly these segments.
    package func store(_ segments: JSObject, for visitor: inout Visitor) -> SegmentsChange {
        if visitor.state.isOnlySegments(segments) { return SegmentsChange(effects: [], reason: nil) }
        visitor.apply(.segments(segments), in: project)
        return SegmentsChange(effects: [.store(.segments(segments))], reason: nil)
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
