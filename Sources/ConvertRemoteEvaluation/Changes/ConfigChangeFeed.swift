import ConvertConcurrency
import ConvertSwiftSDK

/// Sends config changes to the open streams, and keeps the streams alive with a single timer.
final class ConfigChangeFeed: Sendable {
    private struct State {
        var nextID = 0
        var readers: [Int: WeakReader] = [:]
        var subscription: ConvertSDK.Subscription?
        var timer: Task<Void, Never>?
        var isEnded = false
    }

    /// A stream lives as long as the server holds it.
    private struct WeakReader: Sendable {
        weak let reader: ConfigChangeReader?
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let interval: Duration
    private let time: any TimeSource
    private let tag: @Sendable () -> String?
    private let subscribe: @Sendable (ConfigChangeFeed) -> ConvertSDK.Subscription

    init(sdk: ConvertSDK, capacity: Int, interval: Duration, time: any TimeSource) {
        self.capacity = capacity
        self.interval = interval
        self.time = time
        tag = { [weak sdk] in sdk?.configIdentity?.tag }
        subscribe = { [sdk] feed in
            sdk.onConfigChange {
                [weak feed] in
                feed?.notify()
            } end: {
                [weak feed] in
                feed?.end()
            }
        }
    }

    /// Opens a stream for a client that knows the config with the tag `known`; `nil` means that the client knows the
    /// current one. Returns `nil` if too many streams are open.
    func open(knowing known: String?) -> ConfigChangeStream? {
        let (id, isFirst) = state.withLock { state -> (Int?, Bool) in
            guard state.readers.count < capacity else { return (nil, false) }
            state.nextID += 1
            state.readers[state.nextID] = WeakReader(reader: nil)
            return (state.nextID, state.subscription == nil && !state.isEnded)
        }
        guard let id else { return nil }
        if isFirst { start() }
        let reader = ConfigChangeReader(tag: tag) { [weak self] in self?.close(id) }
        let isEnded = state.withLock { state in
            state.readers[id] = WeakReader(reader: reader)
            return state.isEnded
        }
        // Checked after the stream was added, so that a change in between is not missed.
        if let known, let current = tag(), !known.isEmpty, known != current { reader.notify() }
        if isEnded { reader.finish() }
        return ConfigChangeStream(reader: reader)
    }

    /// Ends all streams, including those opened later.
    func end() {
        let (readers, subscription, timer) = state.withLock { state in
            state.isEnded = true
            defer { (state.subscription, state.timer) = (nil, nil) }
            return (state.readers.values.compactMap(\.reader), state.subscription, state.timer)
        }
        timer?.cancel()
        subscription?.cancel()
        for reader in readers { reader.finish() }
    }

    private func start() {
        let timer = Task { [weak self, time, interval] in
            while (try? await time.sleep(until: time.now + interval)) != nil, let self {
                for reader in self.readers { reader.keepAlive() }
            }
        }
        let subscription = subscribe(self)
        let isSpare = state.withLock { state in
            if state.isEnded || state.subscription != nil { return true }
            (state.subscription, state.timer) = (subscription, timer)
            return false
        }
        if isSpare {
            timer.cancel()
            subscription.cancel()
        }
    }

    private func notify() { for reader in readers { reader.notify() } }

    private func close(_ id: Int) {
        let stopped = state.withLock { state -> (ConvertSDK.Subscription?, Task<Void, Never>?) in
            state.readers[id] = nil
            guard state.readers.isEmpty else { return (nil, nil) }
            defer { (state.subscription, state.timer) = (nil, nil) }
            return (state.subscription, state.timer)
        }
        // Decisions are faster without a subscription.
        stopped.0?.cancel()
        stopped.1?.cancel()
    }

    private var readers: [ConfigChangeReader] { state.withLock { $0.readers.values.compactMap(\.reader) } }
}
