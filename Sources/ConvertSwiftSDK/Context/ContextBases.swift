import ConvertConcurrency

/// The bases that new contexts are made on, swapped as a whole.
///
/// Every context reads one, so there are several, each behind a lock of its own. Invariant: a basis is read and written
/// under its cell's lock only.
final class ContextBases: Sendable {
    private let engine: SDKEngine
    private let cells: Striped<Mutex<ContextBasis>>

    init(of engine: SDKEngine) {
        self.engine = engine
        cells = Striped { Mutex(ContextBasis(engine, nil)) }
    }

    /// The calling thread's.
    var current: ContextBasis { @inline(__always) get { cells.withCurrent { $0.withLock { $0 } } } }

    /// Lets new contexts be made on `snapshot`. Only one thread does so at a time. Once a context has it, none gets an
    /// older one.
    func replaceSnapshot(with snapshot: ConfigSnapshot) {
        var replaced: [ContextBasis] = []
        replaced.reserveCapacity(Striped<Mutex<ContextBasis>>.count)
        let bases = (0..<Striped<Mutex<ContextBasis>>.count).map { _ in ContextBasis(engine, snapshot.copy()) }
        replace(with: bases[...], keeping: &replaced)
        // Unused bases are freed here, outside of the locks: freeing a config takes long.
    }

    /// Opens no cell before all of them have theirs.
    private func replace(with bases: ArraySlice<ContextBasis>, keeping replaced: inout [ContextBasis]) {
        guard let basis = bases.first else { return }
        cells.withElement(at: bases.startIndex) {
            $0.withLock {
                replaced.append($0)
                $0 = basis
                replace(with: bases.dropFirst(), keeping: &replaced)
            }
        }
    }
}
