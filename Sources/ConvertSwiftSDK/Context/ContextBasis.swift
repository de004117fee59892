import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// The engine and the config that a context is created with.
///
/// A context that was created with a config and without a ledger holds nothing else of the SDK. There are several bases
/// (`ContextBases`), so that few threads share the reference count of one.
final class ContextBasis: Sendable {
    let engine: SDKEngine
    /// Whether visitors' records are loaded from a ledger.
    let hasLedger: Bool
    /// Whether tests may force answers.
    let isForcible: Bool
    /// Whether a hook observes calls.
    let hasHook: Bool
    /// Whether tests may force answers, or a hook observes calls.
    let isAttended: Bool
    /// Whether answers are logged.
    let hasLog: Bool
    /// `nil` if there was no config yet.
    let snapshot: ConfigSnapshot?
    /// The same snapshot, for passing without reference counting. Invariant: it is used only while the basis lives.
    let uncountedSnapshot: UncountedReference<ConfigSnapshot>?
    /// Stored here, because each read of a static property checks whether it is initialized.
    private let segmentNames = ReportSegments.filter
    /// The engine's records, stored here too, so that creating a context does not access the engine.
    let records: VisitorRecords
    private let padding = StripePadding.zero

    init(_ engine: SDKEngine, _ snapshot: ConfigSnapshot?) {
        self.engine = engine
        self.snapshot = snapshot
        uncountedSnapshot = snapshot.map { UncountedReference($0) }
        records = engine.records
        hasLedger = engine.records.hasLedger
        isForcible = engine.forced != nil
        hasHook = engine.configuration.evaluationHook != nil
        isAttended = isForcible || hasHook
        hasLog = engine.decisionLog != nil
    }

    /// Passes the snapshot to `body`; returns `nil` without a snapshot.
    @inline(__always)
    func withSnapshot<Result: Sendable>(_ body: (ConfigSnapshot) -> Result?) -> Result? {
        guard let uncountedSnapshot else { return nil }
        return uncountedSnapshot.withObject { body($0) }
    }

    /// Whether there are report segments among `attributes`.
    // Not inlined: in its caller, the reference to the names would be counted.
    @inline(never)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    /// Returns a new visitor without stored state, for `attributes` without report segments.
    ///
    /// - Parameter snapshot: the snapshot of this basis.
    @inline(never)
    func visitor(
        id: consuming String, attributesWithoutSegments attributes: consuming JSObject, in snapshot: ConfigSnapshot
    ) -> Visitor {
        // Not inlined: in its caller, the compiler would count references to everything on the way, and threads would
        // wait for each other at those counts.
        snapshot.project.visitor(id: id, attributesWithoutSegments: attributes, state: VisitorState())
    }
}
