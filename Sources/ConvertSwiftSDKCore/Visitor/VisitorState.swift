public import ConvertECMAScript

/// What is stored about a visitor: the record that a visitor store keeps, in the JavaScript SDK's shape.
///
/// A member is `nil` until something was stored in it; `[]` and `{}` mean something else, as in the reference.
public struct VisitorState: Sendable, Equatable {
    /// Stored decisions: variation id by experience id. A value may be anything that an earlier version stored.
    public package(set) var bucketing: JSObject?

    /// Keys of the locations that the visitor is in. As in the reference, `nil` stands for all those without a key.
    package internal(set) var locationKeys: [String?]?

    /// Report segments, custom segments and stored visitor properties.
    public private(set) var segments: JSObject?

    /// The writes that made the segments what they are, where these merged over a record would give something else.
    private var segmentWrites: SegmentWrites?

    /// Goals that were triggered, by the key or id they were tracked with.
    public internal(set) var goals: JSObject?

    /// Keys of the locations that the visitor is in; locations without a key are not among them.
    public var locations: [String]? { locationKeys.map { $0.compactMap(\.self) } }

    /// The writes of segments that this state stands for as changes of a record, oldest first.
    var segmentRounds: [JSObject] { segmentWrites?.rounds ?? segments.map { [$0] } ?? [] }

    /// Takes `segments` for what is stored.
    mutating func setSegments(_ segments: JSObject?) { (self.segments, segmentWrites) = (segments, nil) }

    /// Takes the segments of `newer` for what is stored, as far as it has any.
    package mutating func replaceSegments(from newer: VisitorState) {
        if newer.segments != nil { (segments, segmentWrites) = (newer.segments, newer.segmentWrites) }
    }

    /// Merges one write over the segments, as the reference does.
    mutating func mergeSegments(_ new: JSObject) {
        guard let old = segments else { return setSegments(new) }
        if segmentWrites != nil || !old.canBeMerged(aheadWith: new) {
            var writes = segmentWrites ?? SegmentWrites(old)
            writes.append(new)
            segmentWrites = writes.rounds.count > 1 ? writes : nil
        }
        segments = old.deepMerging(new)
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
