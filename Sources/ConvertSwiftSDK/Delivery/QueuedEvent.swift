import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Whose events they are: what the tracking endpoint's path and body name.
///
/// All events of a config share one: they are copied often.
final class TrackingDestination: Sendable, Equatable {
    /// The SDK key, or `nil` if the config came from the app.
    let sdkKey: String?
    /// The account's id, as the config has it.
    let accountID: JSValue
    /// The project's id, as the config has it.
    let projectID: JSValue
    /// What the records of its events begin with, up to the visitor's id.
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

/// An event on its way.
struct QueuedEvent: Sendable, Equatable {
    /// What is sent of it.
    let report: Report
    /// Its id in the ledger, if it is there, or on its way there.
    var ledgerID: EventID?
    /// Its place among the events of this process that came without the ledger.
    var serial = 0

    /// What is sent of an event. It never changes, and an event is copied often on its way.
    final class Report: Sendable, Equatable {
        /// Where it goes.
        let destination: TrackingDestination
        /// The visitor's id.
        let visitorID: String
        /// The segments reported with it, if it is the visitor's first one in its request.
        let segments: JSObject?
        /// What happened.
        let content: Content
        /// About how many bytes it takes, in memory or in a request: those of its names, texts and punctuation.
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

        static func == (left: Report, right: Report) -> Bool {
            left === right
                || left.destination == right.destination && left.visitorID.hasSameCodeUnits(as: right.visitorID)
                    && left.segments == right.segments && left.content == right.content
        }
    }

    /// An event that was tracked, or read.
    enum Content: Sendable, Equatable {
        case tracked(TrackingEvent)
        /// The event as the endpoint takes it.
        case read(JSValue)

        /// The event as the endpoint takes it.
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
    /// The event as the endpoint takes it.
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
    /// About the length of its JSON text, in bytes. It takes time linear to its size, and no depth is too much for it.
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
