public import ConvertECMAScript

/// The record that a visitor store keeps of a visitor, in the JavaScript SDK's format.
///
/// A member is `nil` until it is stored for the first time. An empty list or object is a stored value, as in the
/// JavaScript SDK.
public struct VisitorState: Sendable, Equatable {
    private struct Record: Sendable {
        var bucketing: JSObject?
        var locationKeys: [String?]?
        var segments: JSObject?
        /// The writes of segments; `nil` if merging `segments` over a record gives the same result.
        var segmentWrites: SegmentWrites?
        var goals: JSObject?
    }

    /// A list with one record; `nil` for a visitor without a stored record.
    // Keep the list: it makes a visitor small, and every request creates one (W1).
    private var list: [Record]?

    private var record: Record {
        get { list?[0] ?? Record() }
        _modify {
            // Take the list out of its property: a change of a shared list copies it.
            var record = list.take() ?? [Record()]
            defer { list = record }
            yield &record[0]
        }
    }

    /// Stored decisions: variation ids by experience id. An earlier version may have stored values of any type.
    public package(set) var bucketing: JSObject? {
        get { list?[0].bucketing }
        set { record.bucketing = newValue }
    }

    /// Keys of the locations that the visitor is in. As in the reference, one `nil` represents all locations without a
    /// key.
    package internal(set) var locationKeys: [String?]? {
        get { list?[0].locationKeys }
        set { record.locationKeys = newValue }
    }

    /// Report segments, custom segments and stored visitor properties.
    public var segments: JSObject? { list?[0].segments }

    /// Goals that were triggered, by the key or id that they were tracked with.
    public internal(set) var goals: JSObject? {
        get { list?[0].goals }
        set { record.goals = newValue }
    }

    /// Keys of the locations that the visitor is in, without locations that have no key.
    public var locations: [String]? { locationKeys.map { $0.compactMap(\.self) } }

    /// The writes of segments, oldest first, that merging this state over a record applies.
    var segmentRounds: [JSObject] { record.segmentWrites?.rounds ?? segments.map { [$0] } ?? [] }

    /// Replaces the stored segments.
    mutating func setSegments(_ segments: JSObject?) {
        if segments != nil || self.segments != nil { (record.segments, record.segmentWrites) = (segments, nil) }
    }

    /// Merges one write over the segments, as the reference does.
    mutating func mergeSegments(_ new: JSObject) {
        guard let old = segments else { return setSegments(new) }
        if record.segmentWrites != nil || !old.canBeMerged(aheadWith: new) {
            var writes = record.segmentWrites ?? SegmentWrites(old)
            writes.append(new)
            record.segmentWrites = writes.rounds.count > 1 ? writes : nil
        }
        record.segments = old.deepMerging(new)
    }

    /// Whether both records have the same members.
    public static func == (left: VisitorState, right: VisitorState) -> Bool {
        left.bucketing == right.bucketing && left.locationKeys == right.locationKeys
            && left.segments == right.segments && left.goals == right.goals
    }

    /// Creates the state of a visitor without a stored record.
    public init() {}

    static let customSegments = PropertyKey("customSegments")

    /// The custom segments that the visitor is in.
    var storedCustomSegments: CustomSegments { CustomSegments(segments?[Self.customSegments]) }

    package mutating func apply(_ change: VisitorStateChange) {
        switch change {
        case .bucketing(let experienceID, let variationID):
            if list?[0].bucketing == nil { record.bucketing = JSObject() }
            record.bucketing?[experienceID] = variationID
        case .locations(let keys):
            locationKeys = keys
        case .segments(let new):
            mergeSegments(new)
        case .goal(let key):
            if list?[0].goals == nil { record.goals = JSObject() }
            record.goals?[key] = true
        }
    }
}

/// One change of a visitor's stored record.
package enum VisitorStateChange: Sendable, Equatable {
    /// The decision for an experience, by ids.
    case bucketing(experienceID: PropertyKey, variationID: JSValue)
    /// The keys of all locations that the visitor is in now.
    case locations([String?])
    /// Segments that are merged over the stored segments.
    case segments(JSObject)
    /// A goal that was triggered.
    case goal(PropertyKey)
}
