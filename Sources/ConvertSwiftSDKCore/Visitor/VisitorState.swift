public import ConvertECMAScript

/// What is stored about a visitor: the record that a visitor store keeps, in the JavaScript SDK's shape.
///
/// A member is `nil` until something was stored in it; `[]` and `{}` mean something else, as in the reference.
public struct VisitorState: Sendable, Equatable {
    @usableFromInline
    struct Members: Sendable, Equatable {
        var bucketing: JSObject?
        var locations: [String]?
        var segments: JSObject?
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

    /// Keys of the locations that the visitor is in.
    public internal(set) var locations: [String]? {
        get { members?.first?.locations }
        @inline(__always) _modify { yield &stored.locations }
    }

    /// Report segments, custom segments and stored visitor properties.
    public internal(set) var segments: JSObject? {
        get { members?.first?.segments }
        @inline(__always) _modify { yield &stored.segments }
    }

    /// Goals that were triggered, by the key or id they were tracked with.
    public internal(set) var goals: JSObject? {
        get { members?.first?.goals }
        @inline(__always) _modify { yield &stored.goals }
    }

    /// Whether both have the same stored.
    public static func == (left: VisitorState, right: VisitorState) -> Bool { left.stored == right.stored }

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
            locations = keys
        case .segments(let new):
            segments = segments?.deepMerging(new) ?? new
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
