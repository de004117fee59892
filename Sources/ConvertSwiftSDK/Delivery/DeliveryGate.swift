import ConvertConcurrency

/// Lets calls track until the end, and lets the end wait for those that are inside: what a call stores and what it reports
/// belong together, so either both are done before the end or neither.
final class DeliveryGate: Sendable {
    private let count = Atomic(0)
    private let isClosed = Atomic(false)
    private let isEmpty = Latch()

    /// Whether the caller may go on; ``leave()`` is to follow then.
    func enter() -> Bool {
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        // Whoever closes it sees this call, or is seen by it.
        if !isClosed.load(ordering: .sequentiallyConsistent) { return true }
        leave()
        return false
    }

    /// Ends a call that was let in.
    func leave() {
        let left = count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0, isClosed.load(ordering: .sequentiallyConsistent) { isEmpty.open() }
    }

    /// Lets nobody in any more. Returns once nobody is inside, or at `deadline`.
    func close(until deadline: Duration, by time: any TimeSource) async {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        if count.load(ordering: .sequentiallyConsistent) == 0 { return }
        _ = await isEmpty.wait(until: deadline, by: time)
    }
}
