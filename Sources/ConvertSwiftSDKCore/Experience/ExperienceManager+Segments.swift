internal import ConvertECMAScript

extension ExperienceManager {
    /// The segment gate: passes if the visitor is in any of the segments among the attached audiences, or if there are
    /// no such segments.
    @inline(__always)
    func isInSegments(_ experience: ExperienceRow, _ call: borrowing DecisionCall<some DecisionObserver>) -> Bool {
        experience.segments.count == 0 || isInAny(of: experience.segments, call)
    }

    private func isInAny(of attached: TableRange, _ call: borrowing DecisionCall<some DecisionObserver>) -> Bool {
        let stored = call.visitor.value.state.storedCustomSegments
        let segments = project.experiences.segmentIDs[attached.indices]
        let passed = segments.contains { stored.contains($0) }
        call.observer.didReach(.segments(segments.map(\.text)), passed: passed)
        return passed
    }

    /// Whether the reference throws at the segment gate: segments are attached, and the visitor's stored custom
    /// segments are unusable.
    @inline(__always)
    func cannotReadSegments(
        _ experience: ExperienceRow, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Bool {
        experience.segments.count > 0 && project.options.semantics.throwsOnMalformedRules
            && call.visitor.value.state.storedCustomSegments.isUnusable
    }
}
