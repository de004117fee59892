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
    private let wasUsed = Atomic<Bool>(false)

    /// - Parameter capacity: how many visitors are kept in all; 1 or more.
    init(capacity: Int) {
        let count = capacity >= 1024 ? 16 : 1
        cells = (0..<count).map { _ in Cell(capacity: (capacity - 1) / count + 1) }
    }

    /// Whether anything was ever stored; until then a look-up costs nothing.
    var isUsed: Bool { wasUsed.load(ordering: .acquiring) }

    /// What is known of the visitor with the id in the snapshot's project; nothing if the id is empty.
    func record(of visitorID: String, in snapshot: ConfigSnapshot) -> VisitorState {
        guard isUsed, !visitorID.isEmpty else { return VisitorState() }
        return record(snapshot.visitorKey(visitorID)) ?? VisitorState()
    }

    func record(_ key: PropertyKey) -> VisitorState? {
        guard isUsed else { return nil }
        return cell(of: key).part.withLock { $0.records.value(of: key) }
    }

    /// Changes the record under `key`, made if there is none, with nobody else changing it meanwhile.
    func update(_ key: PropertyKey, _ body: (inout VisitorState) -> Void) {
        change(key) { part, key in part.update(key, body) }
    }

    /// Runs `body` on the part that the visitor lies in, under its lock.
    func change<Result: Sendable>(_ key: PropertyKey, _ body: (inout Part, PropertyKey) -> Result) -> Result {
        wasUsed.store(true, ordering: .releasing)
        return cell(of: key).part.withLock { body(&$0, key) }
    }

    /// Gathers something from every open visitor.
    func collect<Result: Sendable>(_ body: (PropertyKey, OpenVisitor) -> Result?) -> [Result] {
        cells.flatMap { cell in cell.part.withLock { part in part.open.compactMap { body($0.key, $0.value) } } }
    }

    private func cell(of key: PropertyKey) -> Cell { cells[Int(key.hash % UInt32(cells.count))] }
}

extension VisitorMemory.Part {
    /// Changes the record under `key`, made if there is none.
    mutating func update(_ key: PropertyKey, _ body: (inout VisitorState) -> Void) {
        var record = records.value(of: key) ?? VisitorState()
        body(&record)
        records.set(record, for: key)
    }

    /// Changes what is open about a visitor, in place; `nil` if nothing is.
    mutating func withOpen<Result>(_ key: PropertyKey, _ body: (inout OpenVisitor) -> Result) -> Result? {
        guard let index = open.index(forKey: key) else { return nil }
        return body(&open.values[index])
    }

    /// As ``withOpen(_:_:)``, of a visitor of whom nothing need be open yet; ``closeIfDone(_:)`` follows if nothing is then.
    mutating func withOpened<Result>(_ key: PropertyKey, _ body: (inout OpenVisitor) -> Result) -> Result {
        body(&open[key, default: OpenVisitor()])
    }

    /// Forgets a visitor of whom nothing is open any more.
    mutating func closeIfDone(_ key: PropertyKey) {
        if open[key]?.isClosed ?? false { open[key] = nil }
    }
}
