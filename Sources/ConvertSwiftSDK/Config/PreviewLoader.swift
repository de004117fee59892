import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

/// Fetches experiences that the config does not have, such as drafts, for contexts that preview them.
actor PreviewLoader {
    /// An experience that was asked for.
    private final class Entry: Sendable {
        let document: RemoteDocument
        /// When it is to be asked for anew.
        let end: Duration
        private let adopted: Adopted

        var config: ProjectConfig? { adopted.config.withLock { $0 } }

        init(_ request: RemoteDocument.Origin, transport: any HTTPTransport, time: any TimeSource) {
            let adopted = Adopted()
            self.adopted = adopted
            end = time.now + PreviewLoader.lifetime
            document = RemoteDocument(
                request, transport: transport, time: time, whenAbandoned: .goesOn,
                consumer: RemoteDocument.Consumer { data in
                    let config = try ProjectConfig(fetched: data)
                    adopted.config.withLock { $0 = config }
                })
        }
    }

    /// The config that has the experience, once it is there.
    private final class Adopted: Sendable {
        let config = Mutex<ProjectConfig?>(nil)
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
        let entry = try entry(experienceID)
        if let config = entry.config { return config }
        do {
            _ = try await entry.document.fetch()
        } catch is CancellationError where Task.isCancelled {
            // Others may wait for the fetch, which goes on.
            throw CancellationError()
        } catch {
            if entries[experienceID] === entry { entries[experienceID] = nil }
            throw ConvertError(fetching: error)
        }
        guard let config = entry.config else { throw ConvertError(fetching: CancellationError()) }
        return config
    }

    private func entry(_ experienceID: String) throws(ConvertError) -> Entry {
        let now = time.now
        if let entry = entries[experienceID], entry.end > now { return entry }
        entries = entries.filter { $0.value.end > now }
        guard entries.count < Self.capacity else {
            throw ConvertError(
                code: .configUnavailable, message: "too many experiences are being previewed; try again in a minute.")
        }
        let entry = Entry(
            .endpoint { [endpoint] in try endpoint.request(previewing: experienceID) }, transport: transport, time: time
        )
        entries[experienceID] = entry
        return entry
    }
}
