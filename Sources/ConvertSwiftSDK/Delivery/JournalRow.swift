import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

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
        guard let record = (try? JSValue(json: entry.record))?.objectValue else {
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

    /// The bytes of a row.
    static func bytes(of record: JSValue) -> Data { Data(ECMAScript.jsonText(of: record).utf8) }
}
