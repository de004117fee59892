import ConvertConcurrency

/// The bases of new contexts, replaced all together.
///
/// Every context reads a basis, so there are several, each with its own lock. Invariant: a basis is read and written
/// only under its cell's lock.
final class ContextBases: Sendable {
    private let engine: SDKEngine
    private let cells: Striped<Mutex<ContextBasis>>

    init(of engine: SDKEngine) {
        self.engine = engine
        cells = Striped { Mutex(ContextBasis(engine, nil)) }
    }

    /// The calling thread's basis.
    var current: ContextBasis { @inline(__always) get { cells.withCurrent { $0.withLock { $0 } } } }

    /// Replaces the snapshot that new contexts receive. Not called concurrently. Once a context has received it, no
    /// later context receives an older one.
    func replaceSnapshot(with snapshot: ConfigSnapshot) {
        var replaced: [ContextBasis] = []
        replaced.reserveCapacity(Striped<Mutex<ContextBasis>>.count)
        let bases = (0..<Striped<Mutex<ContextBasis>>.count).map { _ in ContextBasis(engine, snapshot.copy()) }
        replace(with: bases[...], keeping: &replaced)
        // Unused bases are freed here, outside of the locks: freeing a config takes long.
    }

    /// Replaces the bases of all cells while holding all their locks.
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
