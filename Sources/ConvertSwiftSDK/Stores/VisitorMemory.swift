import ConvertECMAScript
import ConvertSwiftSDKCore
import Synchronization

/// The records of the visitors seen last, at hand without waiting.
///
/// It lies in several parts with a lock each, so that threads that serve different visitors seldom wait for each other.
final class VisitorMemory: Sendable {
    private final class Part: Sendable {
        let records: Mutex<RecentlyUsed<VisitorState>>

        init(capacity: Int) { records = Mutex(RecentlyUsed(capacity: capacity)) }
    }

    private let parts: [Part]
    /// Whether anything was ever stored; until then a look-up costs nothing.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameter capacity: how many visitors are kept in all; 1 or more.
    init(capacity: Int) {
        let count = capacity >= 1024 ? 16 : 1
        parts = (0..<count).map { _ in Part(capacity: (capacity - 1) / count + 1) }
    }

    /// What is known of the visitor with the id in the snapshot's project; nothing if the id is empty.
    func record(of visitorID: String, in snapshot: ConfigSnapshot) -> VisitorState {
        guard isUsed.load(ordering: .acquiring), !visitorID.isEmpty else { return VisitorState() }
        return record(snapshot.visitorKey(visitorID)) ?? VisitorState()
    }

    func record(_ key: String) -> VisitorState? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        let key = PropertyKey(key)
        return part(of: key).records.withLock { $0.value(of: key) }
    }

    /// Changes the record under `key`, made if there is none, with nobody else changing it meanwhile.
    func update<Result: Sendable>(_ key: String, _ body: (inout VisitorState) -> sending Result) -> sending Result {
        isUsed.store(true, ordering: .releasing)
        let key = PropertyKey(key)
        return part(of: key).records.withLock { records in
            var record = records.value(of: key) ?? VisitorState()
            let result = body(&record)
            records.set(record, for: key)
            return result
        }
    }

    private func part(of key: PropertyKey) -> Part { parts[Int(key.hash) % parts.count] }
}
