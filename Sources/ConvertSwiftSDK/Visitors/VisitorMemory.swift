import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// The records of the visitors seen last, at hand without waiting.
///
/// It lies in several parts with a lock each, so that threads that serve different visitors seldom wait for each other.
final class VisitorMemory: Sendable {
    private struct Entry {
        var record = VisitorState()
        /// Decisions that contexts made before they knew what is stored of the visitor. They become part of the record when
        /// they do.
        var held: JSObject?

        /// The decision for an experience that anybody made so far.
        func decision(_ experience: PropertyKey) -> JSValue? { record.bucketing?[experience] ?? held?[experience] }
    }

    private final class Part: Sendable {
        let entries: Mutex<RecentlyUsed<Entry>>

        init(capacity: Int) { entries = Mutex(RecentlyUsed(capacity: capacity)) }
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
        return part(of: key).entries.withLock { $0.value(of: key)?.record }
    }

    /// Changes the record under `key`, made if there is none, with nobody else changing it meanwhile.
    func update<Result: Sendable>(_ key: String, _ body: (inout VisitorState) -> sending Result) -> sending Result {
        isUsed.store(true, ordering: .releasing)
        let key = PropertyKey(key)
        return part(of: key).entries.withLock { entries in
            var entry = entries.value(of: key) ?? Entry()
            let result = body(&entry.record)
            entries.set(entry, for: key)
            return result
        }
    }

    /// Makes `decisions` the visitor's, unless there are others for some of their experiences: then it returns those, and
    /// nothing changes.
    ///
    /// - Parameters:
    ///   - known: variations by experience that `decisions` were made in knowledge of, and may replace.
    ///   - isHeld: whether it is not known yet what is stored of the visitor; then the record stays as it is.
    func claim(
        _ decisions: [VisitorDecision], for key: String, knowing known: JSObject, isHeld: Bool
    ) -> [VisitorDecision] {
        isUsed.store(true, ordering: .releasing)
        let key = PropertyKey(key)
        return part(of: key).entries.withLock { entries in
            var entry = entries.value(of: key) ?? Entry()
            let others = decisions.compactMap { decision -> VisitorDecision? in
                let variation = entry.decision(decision.experience)
                guard let variation, variation != known[decision.experience] else { return nil }
                return VisitorDecision(experience: decision.experience, variation: variation)
            }
            guard others.isEmpty else { return others }
            for decision in decisions {
                guard let variation = decision.variation else { continue }
                if isHeld {
                    entry.held = entry.held ?? JSObject()
                    entry.held?[decision.experience] = variation
                } else {
                    entry.record.apply(.bucketing(experienceID: decision.experience, variationID: variation))
                }
            }
            entries.set(entry, for: key)
            return []
        }
    }

    private func part(of key: PropertyKey) -> Part { parts[Int(key.hash) % parts.count] }
}

/// An experience's variation for a visitor, by ids; without a variation for one that is not stored.
struct VisitorDecision: Sendable {
    let experience: PropertyKey
    let variation: JSValue?
}
