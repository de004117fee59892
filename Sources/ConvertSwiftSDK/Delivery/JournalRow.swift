import ConvertECMAScript
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What one row of the journal holds.
enum JournalRow: Sendable {
    /// A tracking event that is to be delivered.
    case event(QueuedEvent)
    /// What a call claimed of a visitor's record, for as long as the visitor store does not have it.
    case claim(VisitorClaim, key: String)
    /// Bytes that are neither.
    case unreadable

    /// Whether `record` is a claim's row, by how it begins: most rows of a long journal are events, whose text is not to be
    /// read twice.
    static func isClaim(_ record: Data) -> Bool { record.starts(with: claimStart) }

    private static let claimStart = Data(#"{"claim":"#.utf8)

    init(_ entry: JournaledEvent) {
        guard let record = (try? JSValue(written: entry.record))?.objectValue else {
            self = .unreadable
            return
        }
        if let event = QueuedEvent(record: .object(record), journalID: entry.id) {
            self = .event(event)
        } else if let (key, claim) = VisitorClaim.read(record) {
            self = .claim(claim, key: key)
        } else {
            self = .unreadable
        }
    }

    /// What rows of events begin with, up to the visitor's id.
    static func start(sdkKey: String?, accountID: JSValue, projectID: JSValue) -> [UInt8] {
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

extension QueuedEvent.Report {
    /// Writes the event's row.
    func writeRow(to json: inout JSONBytes) {
        destination.rowStart.withUnsafeBufferPointer { json.append(json: $0) }
        json.append(quoting: visitorID)
        json.append(#","event":"#)
        content.append(to: &json)
        if let segments {
            json.append(#","segments":"#)
            json.append(value: .object(segments))
        }
        json.append("}")
    }
}

extension KeyedClaim {
    /// Writes its row.
    func writeRow(to json: inout JSONBytes) {
        json.append(#"{"claim":{"visitor":"#)
        json.append(quoting: key.name)
        json.append(claim.decisions, named: #","bucketing":{"#) { $0.variation }
        json.append(claim.decisions, named: #","replaced":{"#) { $0.variation == nil ? nil : $0.replaced }
        for (index, goal) in claim.goals.enumerated() {
            if index == 0 { json.append(#","goals":["#) } else { json.append(",") }
            json.append(quoting: goal.name)
        }
        if !claim.goals.isEmpty { json.append("]") }
        json.append("}}")
    }
}

extension JSONBytes {
    /// Appends an object with a member for each decision that `value` has one for, unless it would be empty. `name` is the
    /// text before its first member.
    fileprivate mutating func append(
        _ decisions: [VisitorClaim.Decision], named name: StaticString, _ value: (VisitorClaim.Decision) -> JSValue?
    ) {
        var isFirst = true
        for decision in decisions {
            guard let value = value(decision) else { continue }
            if isFirst { append(name) } else { append(",") }
            isFirst = false
            append(quoting: decision.experience)
            append(":")
            append(value: value)
        }
        if !isFirst { append("}") }
    }
}

extension QueuedEvent.Content {
    /// Appends the event as the endpoint takes it.
    fileprivate func append(to json: inout JSONBytes) {
        guard case .tracked(.bucketing(let experienceID, let variationID)) = self else {
            return json.append(value: payload)
        }
        // By far the most frequent one.
        json.append(#"{"eventType":"bucketing","data":{"experienceId":"#)
        json.append(quoting: experienceID)
        json.append(#","variationId":"#)
        json.append(quoting: variationID)
        json.append("}}")
    }
}
