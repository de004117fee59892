public import ConvertECMAScript

/// What is stored about a visitor: the record that a visitor store keeps, in the JavaScript SDK's shape.
///
/// A member is `nil` until something was stored in it; `[]` and `{}` are told apart from that, as in the reference.
public struct VisitorState: Sendable, Equatable {
    private struct Members: Sendable, Equatable {
        var bucketing: JSObject?
        var locations: [String]?
        var segments: JSObject?
        var goals: JSObject?
    }

    /// One, or none as long as nothing was stored. Behind a reference, since a visitor has nothing stored at most times and
    /// is moved at all times.
    private var members: [Members] = []

    private var stored: Members {
        get { members.first ?? Members() }
        _modify {
            if members.isEmpty { members.append(Members()) }
            yield &members[0]
        }
    }

    /// Whether nothing was ever stored; seen without a look at each member.
    var isUntouched: Bool { members.isEmpty }

    /// Stored decisions: variation id by experience id. A value may be anything that an earlier version stored.
    public package(set) var bucketing: JSObject? {
        get { members.first?.bucketing }
        _modify { yield &stored.bucketing }
    }

    /// Keys of the locations that the visitor is in.
    public internal(set) var locations: [String]? {
        get { members.first?.locations }
        _modify { yield &stored.locations }
    }

    /// Report segments, custom segments and stored visitor properties.
    public internal(set) var segments: JSObject? {
        get { members.first?.segments }
        _modify { yield &stored.segments }
    }

    /// Goals that were triggered, by the key or id they were tracked with.
    public internal(set) var goals: JSObject? {
        get { members.first?.goals }
        _modify { yield &stored.goals }
    }

    /// Whether both have the same stored.
    public static func == (left: VisitorState, right: VisitorState) -> Bool { left.stored == right.stored }

    /// A visitor of whom nothing is stored.
    public init() {}

    /// The name of the segment that lists custom segments.
    static let customSegments = PropertyKey("customSegments")

    /// Ids of the custom segments that the visitor is in.
    var customSegmentIDs: [JSValue] { segments?[Self.customSegments]?.arrayValue ?? [] }

    /// Makes `change`.
    package mutating func apply(_ change: VisitorStateChange) {
        switch change {
        case .bucketing(let experienceID, let variationID):
            bucketing = bucketing ?? JSObject()
            bucketing?[experienceID] = variationID
        case .locations(let keys):
            locations = keys
        case .segments(let new):
            segments = (segments ?? JSObject()).deepMerging(new)
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
    case locations([String])
    /// Segments that are merged into the stored ones.
    case segments(JSObject)
    /// A goal that was triggered.
    case goal(PropertyKey)
}

extension VisitorState: Codable {
    private enum CodingKeys: String, CodingKey { case bucketing, locations, segments, goals }

    /// Decodes a stored record. A member of another shape is dropped, as if nothing had been stored in it; of a value that
    /// the decoder refuses only the presence is kept.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bucketing = container.members(.bucketing)
        locations = container.ifValid(.locations, as: [JSValue].self)?.compactMap(\.stringValue)
        segments = container.members(.segments)
        goals = container.members(.goals)
    }

    /// Encodes the record without the members in which nothing was stored.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(bucketing, forKey: .bucketing)
        try container.encodeIfPresent(locations, forKey: .locations)
        try container.encodeIfPresent(segments, forKey: .segments)
        try container.encodeIfPresent(goals, forKey: .goals)
    }
}

/// Any name of a stored member.
private struct StoredName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
    /// The members of an object, or `nil` if there is none.
    fileprivate func members(_ key: Key) -> JSObject? {
        guard contains(key), let container = try? nestedContainer(keyedBy: StoredName.self, forKey: key) else {
            return nil
        }
        return JSObject(container.allKeys.map { ($0.stringValue, container.value($0, unreadable: true) ?? .null) })
    }
}
