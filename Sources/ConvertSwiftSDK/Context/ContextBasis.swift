import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// The engine and the config that a context is created with.
///
/// A context that was created with a config and without a ledger holds nothing else of the SDK. There are several equal
/// bases (`ContextBases`), so that few threads use the same one.
final class ContextBasis: Sendable {
    let engine: SDKEngine
    /// Whether visitors' records are loaded from a ledger.
    let hasLedger: Bool
    /// Whether tests may force answers.
    let isForcible: Bool
    /// Whether tests may force answers, or a hook observes calls.
    let isAttended: Bool
    /// Whether answers are logged.
    let hasLog: Bool
    /// `nil` if there was no config yet.
    let snapshot: ConfigSnapshot?
    /// The same snapshot, as an uncounted reference. Invariant: it is used only while the basis lives, which keeps the
    /// snapshot alive.
    let uncountedSnapshot: UncountedReference<ConfigSnapshot>?
    /// The names of report segments.
    // Keep it stored: a static property is slower to read.
    private let segmentNames = ReportSegments.filter
    /// The engine's records, stored here too, so that creating a context does not access the engine.
    let records: VisitorRecords
    private let padding = StripePadding.zero

    init(_ engine: SDKEngine, _ snapshot: ConfigSnapshot?) {
        self.engine = engine
        self.snapshot = snapshot
        uncountedSnapshot = snapshot.map { UncountedReference($0) }
        records = engine.records
        hasLedger = engine.configuration.ledger != nil
        isForcible = engine.forced != nil
        isAttended = isForcible || engine.configuration.evaluationHook != nil
        hasLog = engine.decisionLog != nil
    }

    /// Passes the snapshot to `body`; returns `nil` without a snapshot.
    @inline(__always)
    func withSnapshot<Result: Sendable>(_ body: (ConfigSnapshot) -> Result?) -> Result? {
        guard let uncountedSnapshot else { return nil }
        return uncountedSnapshot.withObject { body($0) }
    }

    /// Whether there are report segments among `attributes`.
    // Keep it out of line: inlined, it makes threads wait for each other.
    @inline(never)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    /// Returns a new visitor without stored state, for `attributes` without report segments.
    ///
    /// - Parameter snapshot: the snapshot of this basis.
    @inline(never)
    func visitor(
        id: consuming String, attributesWithoutSegments attributes: consuming JSObject, in snapshot: ConfigSnapshot
    ) -> Visitor {
        // Keep it out of line: inlined, it makes threads wait for each other.
        Visitor.make(id: id, attributes: attributes, state: VisitorState(), project: snapshot.project)
    }
}
