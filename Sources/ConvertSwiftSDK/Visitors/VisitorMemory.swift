import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// The records of the visitors seen last, at hand without waiting, and what is open about others.
///
/// It lies in several parts with a lock each, so that threads that serve different visitors seldom wait for each other.
final class VisitorMemory: Sendable {
    /// What one lock guards.
    struct Part {
        /// Bounded: the least recently used ones leave first.
        var records: RecentlyUsed<VisitorState>
        /// Visitors of whom something is still to come. They stay however many visitors are seen meanwhile.
        var open: [PropertyKey: OpenVisitor] = [:]
    }

    private final class Cell: Sendable {
        let part: Mutex<Part>

        init(capacity: Int) { part = Mutex(Part(records: RecentlyUsed(capacity: capacity))) }
    }

    private let cells: [Cell]
    /// Whether anything was ever stored; until then a look-up costs nothing.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameter capacity: how many visitors are kept in all; 1 or more.
    init(capacity: Int) {
        let count = capacity >= 1024 ? 16 : 1
        cells = (0..<count).map { _ in Cell(capacity: (capacity - 1) / count + 1) }
    }

    /// What is known of the visitor with the id in the snapshot's project; nothing if the id is empty.
    func record(of visitorID: String, in snapshot: ConfigSnapshot) -> VisitorState {
        guard isUsed.load(ordering: .acquiring), !visitorID.isEmpty else { return VisitorState() }
        return record(snapshot.visitorKey(visitorID)) ?? VisitorState()
    }

    func record(_ key: String) -> VisitorState? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        let key = PropertyKey(key)
        return cell(of: key).part.withLock { $0.records.value(of: key) }
    }

    /// Changes the record under `key`, made if there is none, with nobody else changing it meanwhile.
    func update(_ key: String, _ body: (inout VisitorState) -> Void) {
        change(PropertyKey(key)) { part, key in part.update(key, body) }
    }

    /// Runs `body` on the part that the visitor lies in, under its lock.
    func change<Result: Sendable>(_ key: PropertyKey, _ body: (inout Part, PropertyKey) -> Result) -> Result {
        isUsed.store(true, ordering: .releasing)
        return cell(of: key).part.withLock { body(&$0, key) }
    }

    /// Gathers something from every open visitor.
    func collect<Result: Sendable>(_ body: (PropertyKey, OpenVisitor) -> Result?) -> [Result] {
        cells.flatMap { cell in cell.part.withLock { part in part.open.compactMap { body($0.key, $0.value) } } }
    }

    private func cell(of key: PropertyKey) -> Cell { cells[Int(key.hash) % cells.count] }
}

extension VisitorMemory.Part {
    /// Changes the record under `key`, made if there is none.
    mutating func update(_ key: PropertyKey, _ body: (inout VisitorState) -> Void) {
        var record = records.value(of: key) ?? VisitorState()
        body(&record)
        records.set(record, for: key)
    }
}

/// What is open about a visitor: loads of their record, and what an earlier process left in the journal.
struct OpenVisitor: Sendable {
    /// One context's load.
    struct Load: Sendable {
        /// What waited for the store when it began.
        let unsaved: VisitorState
        /// Changes that others made meanwhile, who know what is stored.
        var newer = VisitorState()
        /// Changes that the context made meanwhile. They wait until it is known what they are changes of.
        var held = VisitorState()
        /// The journal's rows that stand for them.
        var rows: [Int64] = []
        /// Opens at its end.
        let end: Latch
    }

    /// Claims that wait to be settled against what is stored, with their rows, in order.
    struct Restored: Sendable {
        var claims: [VisitorClaim] = []
        var rows: [Int64] = []

        /// The changes of `record` that follow from them.
        func changes(of record: VisitorState) -> VisitorState {
            var (record, changes) = (record, VisitorState())
            for claim in claims {
                let next = claim.changes(of: record)
                record = record.merging(next)
                changes = changes.merging(next)
            }
            return changes
        }
    }

    var loads: [Int: Load] = [:]
    var restored: Restored?
    /// Conversions that wait for the first load to end, in order; and later ones, so that they do not overtake those.
    var conversions: [DeferredConversion] = []
    /// Whether somebody is making them count.
    var isConverting = false

    var isClosed: Bool { loads.isEmpty && restored == nil && conversions.isEmpty && !isConverting }

    /// The loads that something waits for which must not be lost.
    var awaitedLoads: [(key: Int, value: Load)] { loads.filter { !conversions.isEmpty || !$0.value.held.isEmpty } }

    /// Whether there are changes that the store does not have.
    var isUnsaved: Bool { restored != nil || !conversions.isEmpty || !awaitedLoads.isEmpty }

    /// Notes changes by someone who knows what is stored.
    mutating func note(_ changes: VisitorState) {
        for number in Array(loads.keys) {
            let newer = loads[number]?.newer.merging(changes)
            if let newer { loads[number]?.newer = newer }
        }
    }
}
