import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

/// Fetches experiences that the config does not contain, such as drafts, for contexts that preview them.
final class PreviewLoader: Sendable {
    /// A requested experience.
    private struct Entry {
        /// The config with the experience; it has no value before the fetch has ended.
        let config: RemoteValue<ProjectConfig>
        /// When the experience must be fetched again.
        let end: Duration

        /// Whether the entry can be used at `time`. An entry that is being fetched can be used until that ends.
        func serves(at time: Duration) -> Bool { end > time || config.document.isFetching }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var isEnded = false
    }

    /// How long a fetched experience is used for further previews.
    static let lifetime = Duration.seconds(60)
    /// The maximum number of entries, so that links with made-up ids cannot fill the memory.
    static let capacity = 100

    private let endpoint: ConfigEndpoint
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let state = Mutex(State())

    init(endpoint: ConfigEndpoint, transport: any HTTPTransport, time: any TimeSource) {
        self.endpoint = endpoint
        self.transport = transport
        self.time = time
    }

    /// Returns a config with the experience. If the endpoint does not know the experience, the config lacks it.
    func config(experienceID: String) async throws(ConvertError) -> ProjectConfig {
        let asked = try config(of: experienceID)
        if let config = asked.current { return config }
        do {
            _ = try await asked.document.fetch()
        } catch {
            // If only this task was cancelled, the fetch continues, because others may wait for it.
            let goesOn = error is CancellationError && Task.isCancelled
            state.withLock { state in
                if !goesOn, state.entries[experienceID]?.config === asked { state.entries[experienceID] = nil }
            }
            throw ConvertError(fetching: error)
        }
        guard let config = asked.current else { throw ConvertError(fetching: CancellationError()) }
        return config
    }

    /// Ends the running fetches, and prevents further ones.
    func end() {
        let entries = state.withLock { state in
            state.isEnded = true
            defer { state.entries = [:] }
            return state.entries.values
        }
        for entry in entries { entry.config.document.end(with: ConvertError.shutDown) }
    }

    private func config(of experienceID: String) throws(ConvertError) -> RemoteValue<ProjectConfig> {
        let now = time.now
        return try state.withLock { state throws(ConvertError) in
            guard !state.isEnded else { throw .shutDown }
            if let entry = state.entries[experienceID], entry.serves(at: now) { return entry.config }
            state.entries = state.entries.filter { $0.value.serves(at: now) }
            guard state.entries.count < Self.capacity else {
                throw ConvertError(
                    code: .configUnavailable,
                    message: "too many experiences are being previewed; try again in a minute.")
            }
            let config = RemoteValue(
                .endpoint { [endpoint] in try endpoint.request(previewing: experienceID) }, transport: transport,
                time: time, whenAbandoned: .goesOn, read: { try ProjectConfig(fetched: $0) })
            state.entries[experienceID] = Entry(config: config, end: now + Self.lifetime)
            return config
        }
    }
}
