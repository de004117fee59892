import ConvertECMAScript
import ConvertSwiftSDKCore
import Synchronization

/// What a context is made on: the engine, and the config that was in place then.
///
/// A context that was made on a config, and without a store, holds nothing else of the SDK. Few threads count the references
/// of one basis: there is one for each ``ThreadStripe``.
final class ContextBasis: Sendable {
    let engine: SDKEngine
    /// `nil` if there was no config yet.
    let snapshot: ConfigSnapshot?
    /// The same, to be lent without counting a reference. Invariant: it is used while the basis lives.
    let lentSnapshot: Unmanaged<ConfigSnapshot>?
    /// The engine's. Held here too, because reaching it through the engine counts a reference.
    private let memory: VisitorMemory
    private let padding = StripePadding.zero

    fileprivate init(_ engine: SDKEngine, _ snapshot: ConfigSnapshot?) {
        self.engine = engine
        self.snapshot = snapshot
        lentSnapshot = snapshot.map { .passUnretained($0) }
        memory = engine.memory
    }

    /// Lends the snapshot; returns `nil` if there is none.
    @inline(__always)
    func withSnapshot<Result: Sendable>(_ body: (ConfigSnapshot) -> Result?) -> Result? {
        guard let lentSnapshot else { return nil }
        return lentSnapshot._withUnsafeGuaranteedRef { body($0) }
    }

    /// A visitor with what is known of them, if there are no report segments among `attributes`.
    ///
    /// Not inlined: in its caller's place Swift 6.3.1 would count a reference of everything on the way, at which threads wait
    /// for each other.
    ///
    /// - Parameter snapshot: the basis' own.
    @inline(never)
    func visitor(
        id: String, attributesWithoutSegments attributes: consuming JSObject, in snapshot: Unmanaged<ConfigSnapshot>
    ) -> Visitor {
        // Taken out by the closure, which would copy what it cannot consume.
        var attributes = Optional(attributes)
        return snapshot._withUnsafeGuaranteedRef { snapshot in
            snapshot.project.visitor(
                id: id, attributesWithoutSegments: attributes.take() ?? JSObject(),
                state: memory.record(of: id, in: snapshot))
        }
    }
}

/// The bases that new contexts are made on, swapped as a whole.
///
/// Every context reads one, so there are several, each behind a lock of its own: threads that make contexts seldom meet at
/// one lock or at one reference count.
///
/// The cells are bare memory, because reaching an object in an array would count two more references than the basis'.
/// Invariant: `cells` is initialized with ``ThreadStripe/count`` cells from the start to the end, and a basis is read and
/// written under its cell's lock only.
final class ContextBases: Sendable {
    private struct Cell: ~Copyable {
        let basis: Mutex<ContextBasis>
        let padding = StripePadding.zero
    }

    private let engine: SDKEngine
    nonisolated(unsafe) private let cells = UnsafeMutablePointer<Cell>.allocate(capacity: ThreadStripe.count)

    init(of engine: SDKEngine) {
        self.engine = engine
        for index in 0..<ThreadStripe.count {
            (cells + index).initialize(to: Cell(basis: Mutex(ContextBasis(engine, nil))))
        }
    }

    deinit {
        cells.deinitialize(count: ThreadStripe.count)
        cells.deallocate()
    }

    /// The calling thread's.
    var current: ContextBasis { cells[ThreadStripe.current].basis.withLock { $0 } }

    /// Lets new contexts be made on `snapshot`. Only one thread does so at a time. Once a context has it, none gets an older
    /// one.
    func replaceSnapshot(with snapshot: ConfigSnapshot) {
        var replaced: [ContextBasis] = []
        replaced.reserveCapacity(ThreadStripe.count)
        let bases = (0..<ThreadStripe.count).map { _ in ContextBasis(engine, snapshot.copy()) }
        replace(with: bases[...], keeping: &replaced)
        // What nobody needs any more ends here, behind the locks: freeing a config takes long.
    }

    /// Opens no cell before all of them have theirs.
    private func replace(with bases: ArraySlice<ContextBasis>, keeping replaced: inout [ContextBasis]) {
        guard let basis = bases.first else { return }
        cells[bases.startIndex].basis.withLock {
            replaced.append($0)
            $0 = basis
            replace(with: bases.dropFirst(), keeping: &replaced)
        }
    }
}
