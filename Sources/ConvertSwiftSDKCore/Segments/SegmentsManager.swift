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
    /// without being looked at. In a preview they are looked at, and none is added.
    /// - Parameters:
    ///   - keys: the segments' keys; unknown ones are left out.
    ///   - ruleData: properties merged over the visitor's own.
    ///   - visitor: the visitor; the stored change is made in its state.
    package func runCustomSegments(
        _ keys: [String], ruleData: JSObject = JSObject(), for visitor: inout Visitor
    ) -> SegmentsChange {
        runCustomSegments(keys, ruleData: ruleData, for: &visitor) { rules, _, attributes, budget in
            project.verdict(of: rules, on: &attributes, &budget)
        }
    }

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
        // A preview ends here and not before, because malformed rules make the reference throw in it too.
        if added.isEmpty || visitor.preview != nil { return SegmentsChange(effects: effects, reason: nil) }
        var segments = visitor.state.segments?.reportSegmentsWithDuplicates ?? JSObject()
        segments[VisitorState.customSegments] = .array(stored.elements + added)
        return SegmentsChange(effects: effects + store(segments, for: &visitor).effects, reason: nil)
    }

    /// Stores segments or properties, unless nothing else is stored than these.
    package func store(_ segments: JSObject, for visitor: inout Visitor) -> SegmentsChange {
        if visitor.state.isOnlySegments(segments) { return SegmentsChange(effects: [], reason: nil) }
        visitor.apply(.segments(segments), in: project)
        return SegmentsChange(effects: [.store(.segments(segments))], reason: nil)
    }
}

extension JSObject {
    /// The report segments whose lists hold something twice. The reference stores all report segments again along with custom
    /// ones, and so merges each list with itself.
    fileprivate var reportSegmentsWithDuplicates: JSObject {
        var segments = JSObject()
        for member in deepMerging(self) where ReportSegments.contains(member.key) {
            guard let stored = self[member.key], stored != member.value else { continue }
            segments[member.key] = stored
        }
        return segments
    }
}
