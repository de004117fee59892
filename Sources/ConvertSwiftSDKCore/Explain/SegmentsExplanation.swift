package import ConvertECMAScript

/// Why a visitor enters custom segments or not. Explaining it stores nothing.
public struct SegmentsExplanation: Sendable, Codable, Hashable {
    /// One segment, in config order.
    public struct Segment: Sendable, Codable, Hashable {
        /// The segment's key.
        public let key: String
        /// Whether the visitor enters the segment, or is already in it.
        public let isMember: Bool
        /// The segment's rules; `nil` if the segment has no rules. Also `nil` if they were not evaluated, because an
        /// earlier segment matched, has malformed rules or has no rules.
        public let rules: Explanation.RuleSet?
    }

    /// The visitor's id.
    public let visitorID: String
    /// The requested segments that the config has.
    public let segments: [Segment]
}

extension SegmentsManager {
    /// Explains which of the segments with `keys` the visitor would enter.
    package func explain(
        _ keys: [String], ruleData: JSObject = JSObject(), for visitor: borrowing Visitor
    ) -> SegmentsExplanation {
        var copy = visitor.copy()
        let recorder = DecisionRecorder(project, visitorID: visitor.id)
        _ = runCustomSegments(keys, ruleData: ruleData, for: &copy, observer: recorder)
        // The segments that were evaluated are the first of the requested ones.
        var evaluated = recorder.rules[...]
        let members = copy.state.storedCustomSegments
        let wanted = Set(keys.map { PropertyKey($0) })
        let requested = project.config.segments.filter { $0.entityKey.isText && wanted.contains($0.entityKey.lookUp) }
        let segments = requested.map { segment in
            SegmentsExplanation.Segment(
                key: segment.key ?? segment.id.text, isMember: members.contains(segment.id.key.value),
                rules: evaluated.popFirst())
        }
        return SegmentsExplanation(visitorID: visitor.id, segments: segments)
    }
}

extension SegmentsExplanation: CustomStringConvertible, ExplanationTree {
    /// The explanation as a tree of lines.
    public var description: String { tree }

    package var lines: [ExplanationLine] {
        var lines = [ExplanationLine(0, nil as ExplanationLine.Mark?, "segments of \(visitorID)")]
        for segment in segments {
            lines.append(ExplanationLine(1, .init(segment.isMember), "segment \(segment.key)"))
            for line in segment.rules?.lines.dropFirst() ?? [] { lines.append(line.indented(by: 1)) }
        }
        return lines
    }
}
