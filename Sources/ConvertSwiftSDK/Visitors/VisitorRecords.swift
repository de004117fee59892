import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// The records of the most recently used visitors, and access to the records in the ledger.
///
/// The table is divided into parts with a lock each, so that threads that serve different visitors seldom wait for each
/// other. A record stays in the table while a context, a load or the ledger's queue references it.
final class VisitorRecords: Sendable {
    private typealias Part = Mutex<RecentlyUsed<VisitorRecord>>

    private final class Cell: Sendable {
        let records: Part

        init(capacity: Int) { records = Part(RecentlyUsed(capacity: capacity)) }
    }

    private let cells: [Cell]
    private let generationNumber = Atomic(0)
    /// Loads records from the ledger; `nil` without a ledger.
    let loader: VisitorLoader?
    /// The conversions that wait for records.
    let deferrals: Deferrals

    /// - Parameters:
    ///   - capacity: the maximum number of visitors in memory, 1 or more.
    ///   - deferralLimit: the maximum number of conversions that wait for records.
    init(capacity: Int, deferralLimit: Int, loader: VisitorLoader?) {
        let count = capacity >= 1024 ? 16 : 1
        let capacity = max(1, capacity)
        cells = (0..<count).map { _ in Cell(capacity: (capacity - 1) / count + 1) }
        deferrals = Deferrals(limit: deferralLimit)
        self.loader = loader
    }

    /// A number that changes each time a record is added; 0 before the first record.
    var generation: Int { @inline(__always) get { generationNumber.load(ordering: .acquiring) } }

    /// The record with this key, or `nil`.
    func record(_ key: PropertyKey) -> VisitorRecord? {
        if generation == 0 { return nil }
        return cell(of: key).records.withLock { $0.value(of: key) }
    }

    /// The record with this key, created if it does not exist. With a ledger, starts loading it unless it is being
    /// loaded.
    func opened(_ key: PropertyKey) -> VisitorRecord {
        let record = made(key)
        loader?.load(record)
        return record
    }

    /// The record with this key, created if it does not exist. Does not load it.
    func made(_ key: PropertyKey) -> VisitorRecord {
        cell(of: key).records.withLock { records in
            if let record = records.value(of: key) { return record }
            let record = VisitorRecord(key: key)
            records.set(record, for: key) { !isKnownUniquelyReferenced(&$0) }
            generationNumber.wrappingAdd(1, ordering: .releasing)
            return record
        }
    }

    private func cell(of key: PropertyKey) -> Cell { cells[Int(key.hash % UInt32(cells.count))] }
}
