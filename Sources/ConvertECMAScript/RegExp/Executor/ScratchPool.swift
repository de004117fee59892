import Synchronization

/// Executors' memory that is not in use, for threads to take and give back.
///
/// What is taken belongs to its taker alone until it is given back; the lock guards the list only and is never held while
/// something matches. A thread that finds the list empty makes its own, so nobody waits for another one's match.
final class ScratchPool<Scratch: Sendable>: Sendable {
    private let free = Mutex<[Scratch]>([])

    /// Something from the pool, or `nil` if all of it is in use.
    func take() -> Scratch? { free.withLock { $0.popLast() } }

    /// Gives back what was taken or made. Beyond the pool's size it is dropped.
    func give(back scratch: consuming Scratch) {
        free.withLock { [scratch] free in
            if free.count < RegExpLimits.pooledCaches { free.append(scratch) }
        }
    }
}
