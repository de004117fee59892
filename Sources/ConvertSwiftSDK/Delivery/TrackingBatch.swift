import ConvertECMAScript
import ConvertSwiftSDKCore

/// The events of one request, grouped by visitor in order of first appearance.
struct TrackingBatch: Sendable {
    private struct Group {
        let visitorID: String
        let segments: JSObject?
        var events: [JSValue]
    }

    private var groups: [Group] = []
    private var indexes = JSObject()

    /// Appends an event in the endpoint's format. The `segments` of a visitor's first event are reported with all of
    /// the visitor's events.
    mutating func append(_ payload: JSValue, visitorID: String, segments: JSObject?) {
        let key = PropertyKey(visitorID)
        if case .integer(let index)? = indexes[key] {
            groups[index].events.append(payload)
        } else {
            indexes[key] = .integer(groups.count)
            groups.append(Group(visitorID: visitorID, segments: segments, events: [payload]))
        }
    }

    /// The member `visitors` of the tracking payload.
    var visitors: JSValue {
        .array(
            groups.map { group in
                var visitor: JSObject = ["visitorId": .string(group.visitorID), "events": .array(group.events)]
                if let segments = group.segments { visitor["segments"] = .object(segments) }
                return .object(visitor)
            })
    }
}
