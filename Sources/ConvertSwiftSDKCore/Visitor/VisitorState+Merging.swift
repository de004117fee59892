package import ConvertECMAScript

extension VisitorState {
    /// Whether nothing is stored.
    public var isEmpty: Bool { self == VisitorState() }

    /// Returns the record with the changes in `newer` merged over it. The record may itself consist of changes.
    ///
    /// Decisions and goals are replaced one by one. Segments are merged deeply: lists are united. The list of locations
    /// is replaced as a whole, so a location that the visitor left does not reappear. Successive writes of segments are
    /// merged in order, so the result is the same if changes are first merged with each other. Merging the same changes
    /// twice equals merging them once, except that lists of segments lose their duplicates.
    public func merging(_ newer: VisitorState) -> VisitorState {
        var merged = self
        if let bucketing = newer.bucketing { merged.bucketing = merged.bucketing.replacing(bucketing) }
        if let keys = newer.locationKeys { merged.locationKeys = keys }
        if let goals = newer.goals { merged.goals = merged.goals.replacing(goals) }
        for round in newer.segmentRounds { merged.mergeSegments(round) }
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
    /// The members of both objects. A member of `newer` replaces a member with the same name.
    fileprivate func replacing(_ newer: JSObject) -> JSObject {
        guard var merged = self else { return newer }
        for member in newer { merged[member.key] = member.value }
        return merged
    }
}
