import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An event's bytes in the ledger: a JSON object.
extension QueuedEvent {
    /// The event's bytes in the ledger.
    var record: Data {
        var json = JSONBytes(capacity: 256)
        json.append(json: destination.recordStart)
        json.append(quoting: visitorID)
        json.append(#","event":"#)
        report.content.append(to: &json)
        if let segments {
            json.append(#","segments":"#)
            json.append(value: .object(segments))
        }
        json.append("}")
        return Data(json.bytes)
    }

    /// Reads an event from the ledger; `nil` if its bytes are not an event.
    init?(_ stored: StoredEvent) {
        guard let object = (try? JSValue(written: stored.record))?.objectValue, let account = object["account"],
            let project = object["project"], let visitorID = object["visitor"]?.stringValue,
            let payload = object["event"]
        else { return nil }
        self.init(
            destination: TrackingDestination(
                sdkKey: object["sdkKey"]?.stringValue, accountID: account, projectID: project),
            visitorID: visitorID, segments: object["segments"]?.objectValue, content: .read(payload),
            ledgerID: stored.id)
    }

    /// The beginning of all records of a destination's events, up to the visitor's id.
    static func recordStart(sdkKey: String?, accountID: JSValue, projectID: JSValue) -> [UInt8] {
        var json = JSONBytes(capacity: 64)
        json.append(#"{"account":"#)
        json.append(value: accountID)
        json.append(#","project":"#)
        json.append(value: projectID)
        if let sdkKey {
            json.append(#","sdkKey":"#)
            json.append(quoting: sdkKey)
        }
        json.append(#","visitor":"#)
        return json.bytes
    }
}

extension QueuedEvent.Content {
    /// Appends the event in the endpoint's format.
    fileprivate func append(to json: inout JSONBytes) {
        guard case .tracked(.bucketing(let experienceID, let variationID)) = self else {
            return json.append(value: payload)
        }
        // By far the most frequent event.
        json.append(#"{"eventType":"bucketing","data":{"experienceId":"#)
        json.append(quoting: experienceID)
        json.append(#","variationId":"#)
        json.append(quoting: variationID)
        json.append("}}")
    }
}
