import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore

/// The project that events belong to, as named in the tracking endpoint's path and body.
///
/// All events of a config share one object, because events are copied often.
final class TrackingDestination: Sendable, Equatable {
    /// The SDK key; `nil` if the app passed the config.
    let sdkKey: String?
    /// The account's id, as in the config.
    let accountID: JSValue
    /// The project's id, as in the config.
    let projectID: JSValue
    /// The beginning of its events' records, up to the visitor's id.
    let recordStart: [UInt8]

    init(sdkKey: String?, accountID: JSValue, projectID: JSValue) {
        self.sdkKey = sdkKey
        self.accountID = accountID
        self.projectID = projectID
        recordStart = QueuedEvent.recordStart(sdkKey: sdkKey, accountID: accountID, projectID: projectID)
    }

    static func == (left: TrackingDestination, right: TrackingDestination) -> Bool {
        left === right
            || left.sdkKey == right.sdkKey && left.accountID == right.accountID && left.projectID == right.projectID
    }
}

/// A tracked event that is not delivered yet.
struct QueuedEvent: Sendable {
    /// The contents of the event.
    let report: Report
    /// The event's id in the ledger; `nil` for an event without the ledger.
    var ledgerID: EventID?
    /// The number of the event among this process's events without the ledger.
    var serial = 0

    /// The contents of an event. A class, because contents never change and events are copied often.
    final class Report: Sendable {
        /// The destination.
        let destination: TrackingDestination
        /// The visitor's id.
        let visitorID: String
        /// The segments to report, if the event is the visitor's first one in its request.
        let segments: JSObject?
        /// The event itself.
        let content: Content
        /// The approximate number of bytes of the event, in memory or in a request.
        let byteCount: Int

        fileprivate init(
            destination: TrackingDestination, visitorID: String, segments: JSObject?, content: Content
        ) {
            self.destination = destination
            self.visitorID = visitorID
            self.segments = segments
            self.content = content
            byteCount = visitorID.utf8.count + (segments?.textLength ?? 0) + content.textLength
        }
    }

    /// An event that was tracked here, or read from the ledger.
    enum Content: Sendable {
        case tracked(TrackingEvent)
        /// The event in the endpoint's format.
        case read(JSValue)

        /// The event in the endpoint's format.
        var payload: JSValue {
            switch self {
            case .tracked(let event): event.payload
            case .read(let payload): payload
            }
        }

        fileprivate var textLength: Int {
            guard case .tracked(.bucketing(let experienceID, let variationID)) = self else { return payload.textLength }
            return experienceID.utf8.count + variationID.utf8.count + 64
        }
    }

    var destination: TrackingDestination { report.destination }
    var visitorID: String { report.visitorID }
    var segments: JSObject? { report.segments }
    /// The event in the endpoint's format.
    var payload: JSValue { report.content.payload }
    var byteCount: Int { report.byteCount }

    init(
        destination: TrackingDestination, visitorID: String, segments: JSObject?, content: Content,
        ledgerID: EventID? = nil
    ) {
        report = Report(destination: destination, visitorID: visitorID, segments: segments, content: content)
        self.ledgerID = ledgerID
    }
}

extension JSObject {
    /// The approximate length of the JSON text in bytes. Takes time linear in its size, and works for any depth.
    fileprivate var textLength: Int { JSValue.object(self).textLength }
}

extension JSValue {
    fileprivate var textLength: Int {
        var length = 0
        var rest = [self]
        while let value = rest.popLast() {
            switch value {
            case .string(let text): length += text.utf8.count + 2
            case .illFormedString(let text): length += 2 * text.bytes.count + 2
            case .array(let values):
                length += values.count + 1
                rest += values
            case .object(let object):
                length += 1
                for member in object {
                    length += member.key.name.utf8.count + 4
                    rest.append(member.value)
                }
            default: length += 8
            }
        }
        return length
    }
}

extension TrackingEvent {
    /// The event in the format of the tracking endpoint.
    var payload: JSValue {
        switch self {
        case .bucketing(let experienceID, let variationID):
            return [
                "eventType": "bucketing",
                "data": ["experienceId": .string(experienceID), "variationId": .string(variationID)],
            ]
        case .conversion(let goalID, let goalData, let bucketing):
            var data: JSObject = ["goalId": goalID.value]
            if let goalData { data["goalData"] = goalData }
            if let bucketing { data["bucketingData"] = .object(bucketing) }
            return ["eventType": "conversion", "data": .object(data)]
        }
    }
}
