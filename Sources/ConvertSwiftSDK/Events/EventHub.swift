import ConvertConcurrency

/// Passes events to subscribers.
final class EventHub: Sendable {
    private struct State {
        var isReady = false
        var nextID = 0
        var subscribers: [Int: @Sendable (SDKEvent) -> Void] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    /// The number of subscribers. Without subscribers, as in most apps, a decision takes no lock here.
    private let count = Atomic<Int>(0)

    var hasSubscribers: Bool { count.load(ordering: .relaxed) > 0 }

    /// Passes `event` to subscribers, on the calling thread, in order of subscription.
    func tell(_ event: @autoclosure () -> SDKEvent) {
        guard hasSubscribers else { return }
        let event = event()
        for subscriber in state.withLock({ $0.subscribers.sorted { $0.key < $1.key } }) { subscriber.value(event) }
    }

    /// Passes ``SDKEvent/ready`` to all current and later subscribers.
    func tellReady() {
        // Later subscribers receive `ready` immediately, so only the current ones receive it now.
        let subscribers = state.withLock { state in
            state.isReady = true
            return state.subscribers.sorted { $0.key < $1.key }
        }
        for subscriber in subscribers { subscriber.value(.ready) }
    }

    func subscribe(_ body: @escaping @Sendable (SDKEvent) -> Void, onEnd: (@Sendable () -> Void)? = nil)
        -> ConvertSDK.Subscription
    {
        let (id, isReady, isFinished) = state.withLock { state in
            state.nextID += 1
            if !state.isFinished {
                state.subscribers[state.nextID] = body
                state.onEnd[state.nextID] = onEnd
                count.store(state.subscribers.count, ordering: .relaxed)
            }
            return (state.nextID, state.isReady, state.isFinished)
        }
        if isReady && !isFinished { body(.ready) }
        if isFinished { onEnd?() }
        return ConvertSDK.Subscription { [weak self] in self?.remove(id) }
    }

    /// Returns a stream that drops its oldest events beyond `limit`.
    func stream(limit: Int) -> AsyncStream<SDKEvent> {
        let (stream, continuation) = AsyncStream<SDKEvent>.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
        let subscription = subscribe({ continuation.yield($0) }, onEnd: { continuation.finish() })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Ends all subscriptions.
    func finish() {
        let (subscribers, ends) = state.withLock { state in
            state.isFinished = true
            count.store(0, ordering: .relaxed)
            defer { (state.subscribers, state.onEnd) = ([:], [:]) }
            return (state.subscribers, state.onEnd)
        }
        for end in ends.values { end() }
        withExtendedLifetime(subscribers) {}
    }

    private func remove(_ id: Int) {
        // Released after the lock: a closure may own objects whose end calls the SDK, or even the SDK itself.
        let removed = state.withLock { state in
            defer { count.store(state.subscribers.count, ordering: .relaxed) }
            return (state.subscribers.removeValue(forKey: id), state.onEnd.removeValue(forKey: id))
        }
        withExtendedLifetime(removed) {}
    }
}
