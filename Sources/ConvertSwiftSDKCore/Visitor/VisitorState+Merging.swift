package import ConvertECMAScript

extension VisitorState {
    /// Whether nothing is stored.
    public var isEmpty: Bool { self == VisitorState() }

    /// The record with the changes `newer` merged over it, or changes with newer ones appended.
    ///
    /// Decisions and goals are replaced one by one, segments merged deeply (lists are united), and the list of locations is
    /// replaced as a whole, so a location that was left does not come back. Segments that were written one after the other
    /// are merged one after the other, so it does not matter whether changes are merged with each other first. Merging the
    /// same changes twice is merging them once, except that a list of segments loses its duplicates.
    public func merging(_ newer: VisitorState) -> VisitorState {
        var merged = withDecisions(of: newer)
        for round in newer.segmentRounds { merged.mergeSegments(round) }
        return merged
    }

    /// The record where `newer` is a later one of the same visitor: its segments are not changes to be merged, but what is
    /// stored.
    package func updated(by newer: VisitorState) -> VisitorState {
        var updated = withDecisions(of: newer)
        updated.replaceSegments(from: newer)
        return updated
    }

    /// The record with all of `newer` but its segments.
    private func withDecisions(of newer: VisitorState) -> VisitorState {
        var merged = self
        if let bucketing = newer.bucketing { merged.bucketing = merged.bucketing.replacing(bucketing) }
        if let keys = newer.locationKeys { merged.locationKeys = keys }
        if let goals = newer.goals { merged.goals = merged.goals.replacing(goals) }
        return merged
    }

    /// The record in the JavaScript SDK's shape.
    package var json: JSObject {
        var object = JSObject()
        if let bucketing { object["bucketing"] = .object(bucketing) }
        if let locationKeys { object["locations"] = .array(locationKeys.map { $0.map(JSValue.string) ?? .null }) }
        if let segments { object["segments"] = .object(segments) }
        if let goals { object["goals"] = .object(goals) }
        return object
    }
}

extension JSObject? {
    /// The members with `newer` ones in place of those of the same name.
    fileprivate func replacing(_ newer: JSObject) -> JSObject {
        guard var merged = self else { return newer }
        for member in newer { merged[member.key] = member.value }
        return merged
    }
}
