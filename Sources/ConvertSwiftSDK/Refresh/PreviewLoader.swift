import ConvertSwiftSDKCore
import ConvertTransport

/// Fetches experiences that the config does not have, such as drafts, for contexts that preview them.
actor PreviewLoader {
    private struct Entry {
        let fetch: Task<ProjectConfig, any Error>
        let end: Duration
    }

    /// How long an experience that was fetched serves further previews of it.
    static let lifetime = Duration.seconds(60)
    /// The most experiences that are kept or being fetched: whoever can put ids into links must not fill the memory.
    static let capacity = 100

    private let endpoint: ConfigEndpoint
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private var entries: [String: Entry] = [:]

    init(endpoint: ConfigEndpoint, transport: any HTTPTransport, time: any TimeSource) {
        self.endpoint = endpoint
        self.transport = transport
        self.time = time
    }

    /// A config that has the experience, if the endpoint does.
    func config(experienceID: String) async throws -> ProjectConfig {
        let now = time.now
        if let entry = entries[experienceID], entry.end > now { return try await entry.fetch.value }
        entries = entries.filter { $0.value.end > now }
        guard entries.count < Self.capacity else {
            throw ConvertError(
                code: .configUnavailable, message: "too many experiences are being previewed; try again in a minute.")
        }
        let fetch = Task { try await fetchConfig(experienceID) }
        entries[experienceID] = Entry(fetch: fetch, end: now + Self.lifetime)
        do {
            return try await fetch.value
        } catch {
            if entries[experienceID]?.fetch == fetch { entries[experienceID] = nil }
            throw error
        }
    }

    private func fetchConfig(_ experienceID: String) async throws -> ProjectConfig {
        let request = try endpoint.request(previewing: experienceID)
        let timeout = endpoint.configuration.requestTimeout + .seconds(5)
        let response = try await withDeadline(timeout, by: time) { [transport] in try await transport.send(request) }
        guard response.status == 200 else { throw ConvertError.unavailable(status: response.status) }
        return try ProjectConfig(fetched: response.body)
    }
}
