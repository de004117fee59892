public import ConvertECMAScript

/// What is stored about a visitor: the record that a visitor store keeps, in the JavaScript SDK's shape.
///
/// A member is `nil` until something was stored in it; `[]` and `{}` mean something else, as in the reference.
public struct VisitorState: Sendable, Equatable {
    @usableFromInline
    struct Members: Sendable {
        var bucketing: JSObject?
        var locationKeys: [String?]?
        var segments: JSObject?
        /// The writes that made the segments what they are, where these merged over a record would give something else.
        var segmentWrites: SegmentWrites?
        var goals: JSObject?
    }

    /// One element; `nil` as long as nothing was stored. Behind a reference, since a visitor has nothing stored at most
    /// times and is moved at all times.
    private var members: [Members]?

    private var stored: Members {
        get { members?.first ?? Members() }
        // Inlined: a call that lends something allocates memory for it (S-journal).
        @inline(__always) _modify {
            // Taken out, so that nothing else holds the list and changing it copies nothing.
            var list = members.take() ?? [Members()]
            defer { members = list }
            yield &list[0]
        }
    }

    /// Whether nothing was ever stored; seen without a look at each member.
    var isUntouched: Bool { members == nil }

    /// Stored decisions: variation id by experience id. A value may be anything that an earlier version stored.
    public package(set) var bucketing: JSObject? {
        get { members?.first?.bucketing }
        @inline(__always) _modify { yield &stored.bucketing }
    }

    /// Keys of the locations that the visitor is in; locations without a key are not among them.
    public var locations: [String]? { locationKeys.map { $0.compactMap(\.self) } }

    /// Keys of the locations that the visitor is in. As in the reference, `nil` stands for all those without a key.
    package internal(set) var locationKeys: [String?]? {
        get { members?.first?.locationKeys }
        @inline(__always) _modify { yield &stored.locationKeys }
    }

    /// Report segments, custom segments and stored visitor properties.
    public var segments: JSObject? { members?.first?.segments }

    /// The writes of segments that this state stands for as changes of a record, oldest first.
    var segmentRounds: [JSObject] {
        guard let members = members?.first, let segments = members.segments else { return [] }
        return members.segmentWrites?.rounds ?? [segments]
    }

    /// Takes `segments` for what is stored.
    mutating func setSegments(_ segments: JSObject?) { (stored.segments, stored.segmentWrites) = (segments, nil) }

    /// Takes the segments of `newer` for what is stored, as far as it has any.
    package mutating func replaceSegments(from newer: VisitorState) {
        guard let segments = newer.segments else { return }
        (stored.segments, stored.segmentWrites) = (segments, newer.members?.first?.segmentWrites)
    }

    /// Merges one write over the segments, as the reference does.
    mutating func mergeSegments(_ new: JSObject) {
        guard let old = segments else { return setSegments(new) }
        let writes = members?.first?.segmentWrites
        if writes != nil || !old.canBeMerged(aheadWith: new) {
            var writes = writes ?? SegmentWrites(old)
            writes.append(new)
            stored.segmentWrites = writes.rounds.count > 1 ? writes : nil
        }
        stored.segments = old.deepMerging(new)
    }

    /// Goals that were triggered, by the key or id they were tracked with.
    public internal(set) var goals: JSObject? {
        get { members?.first?.goals }
        @inline(__always) _modify { yield &stored.goals }
    }

    /// Whether both have the same stored.
    public static func == (left: VisitorState, right: VisitorState) -> Bool {
        left.bucketing == right.bucketing && left.locationKeys == right.locationKeys
            && left.segments == right.segments && left.goals == right.goals
    }

    /// A visitor of whom nothing is stored.
    public init() {}

    /// The name of the segment that lists custom segments.
    static let customSegments = PropertyKey("customSegments")

    /// The custom segments that the visitor is in.
    var storedCustomSegments: CustomSegments { CustomSegments(segments?[Self.customSegments]) }

    /// Makes `change`.
    package mutating func apply(_ change: VisitorStateChange) {
        switch change {
        case .bucketing(let experienceID, let variationID):
            bucketing = bucketing ?? JSObject()
            bucketing?[experienceID] = variationID
        case .locations(let keys):
            locationKeys = keys
        case .segments(let new):
            mergeSegments(new)
        case .goal(let key):
            goals = goals ?? JSObject()
            goals?[key] = true
        }
    }
}

/// One change of a visitor's stored record.
package enum VisitorStateChange: Sendable, Equatable {
    /// The decision for an experience, by ids.
    case bucketing(experienceID: PropertyKey, variationID: JSValue)
    /// The keys of all locations that the visitor is in now.
    case locations([String?])
    /// Segments that are merged into the stored ones.
    case segments(JSObject)
    /// A goal that was triggered.
    case goal(PropertyKey)
}
