import ConvertECMAScript
import Foundation

@testable import ConvertSwiftSDK

/// Lets the rows of each call be written where they stay, and finds out each time that there is no room yet: all are
/// written twice.
final class JournalWithoutRoomAtFirst: RowWritingJournal {
    private let inner: any EventJournal

    init(_ inner: any EventJournal) { self.inner = inner }

    func append(_ count: Int, writingEach write: (Int, inout JSONBytes) -> Void) throws -> Int64 {
        var rows: [Data] = []
        for _ in 0..<2 {
            var json = JSONBytes(capacity: 0)
            rows = (0..<count).map { row in
                let start = json.bytes.count
                write(row, &json)
                return Data(json.bytes[start...])
            }
        }
        return try append(rows).first ?? 0
    }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        try await inner.events(after: id, limit: limit)
    }

    func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
}
