package import ConvertECMAScript

extension VisitorState {
    /// Whether nothing is stored.
    public var isEmpty: Bool { self == VisitorState() }

    /// The record with `newer` merged over it.
    ///
    /// Decisions and goals are replaced one by one, segments merged deeply (lists are united), and the list of locations is
    /// replaced as a whole, so a location that was left does not come back. Merging the same changes twice is merging them
    /// once.
    public func merging(_ newer: VisitorState) -> VisitorState {
        var merged = self
        if let bucketing = newer.bucketing { merged.bucketing = merged.bucketing.replacing(bucketing) }
        if let locations = newer.locations { merged.locations = locations }
        if let segments = newer.segments { merged.segments = merged.segments?.deepMerging(segments) ?? segments }
        if let goals = newer.goals { merged.goals = merged.goals.replacing(goals) }
        return merged
    }

    /// The record in the JavaScript SDK's shape.
    package var json: JSObject {
        var object = JSObject()
        if let bucketing { object["bucketing"] = .object(bucketing) }
        if let locations { object["locations"] = .array(locations.map(JSValue.string)) }
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
