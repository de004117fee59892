import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// What a context is made on: the engine, and the config that was in place then.
///
/// A context that was made on a config, and without a ledger, holds nothing else of the SDK. Few threads count the
/// references of one basis: threads have several (`ContextBases`).
final class ContextBasis: Sendable {
    let engine: SDKEngine
    /// Whether visitors' records are loaded from a ledger.
    let hasLedger: Bool
    /// Whether tests may force answers.
    let isForcible: Bool
    /// Whether a hook sees questions.
    let hasHook: Bool
    /// Whether tests may force answers, or a hook sees questions.
    let isAttended: Bool
    /// Whether a log takes answers.
    let hasLog: Bool
    /// `nil` if there was no config yet.
    let snapshot: ConfigSnapshot?
    /// The same snapshot, to be passed without counting a reference. Invariant: it is used while the basis lives.
    let uncountedSnapshot: UncountedReference<ConfigSnapshot>?
    /// Held here because reading a static property asks each time whether it was made.
    private let segmentNames = ReportSegments.filter
    /// The engine's, held here too so that a context is made without touching the engine.
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
    // Not inlined, because in its caller's place a reference of the names would be counted.
    @inline(never)
    func findsSegments(in attributes: borrowing JSObject) -> Bool { segmentNames.matches(attributes) }

    /// A visitor of whom nothing is known yet, if there are no report segments among `attributes`.
    ///
    /// - Parameter snapshot: the basis' own.
    @inline(never)
    func visitor(
        id: consuming String, attributesWithoutSegments attributes: consuming JSObject, in snapshot: ConfigSnapshot
    ) -> Visitor {
        // Not inlined: in its caller's place the compiler would count a reference of everything on the way, at which
        // threads wait for each other.
        snapshot.project.visitor(id: id, attributesWithoutSegments: attributes, state: VisitorState())
    }
}
