import ConvertSwiftSDKCore
import ConvertTransport
import Foundation
import Synchronization

/// Fetches configs and swaps them in, again and again.
///
/// Whatever goes wrong, the last good snapshot stays, and it is tried again: after a failure soon at first, then less and
/// less often down to the interval.
actor ConfigRefresher {
    /// The parts of the SDK that a new config concerns.
    struct Surface: Sendable {
        /// Puts a snapshot in place. Only one thread does so at a time.
        let replaceSnapshot: @Sendable (ConfigSnapshot) -> Void
        let hub: EventHub
        let log: Diagnostics
        let readiness: Readiness
    }

    private struct Progress {
        /// The fetch whose answer has not come yet.
        var fetch: (task: Task<Void, Never>, outcome: Outcome<Void>)?
        /// The last fetch, which may be busy with its answer.
        var lastTask: Task<Void, Never>?
        var isStopped = false
    }

    private let source: ConfigSource
    private let configuration: SDKConfiguration
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let surface: Surface
    private var generator: any RandomNumberGenerator & Sendable
    private var validators: HTTPValidators?
    private var hasSnapshot = false
    /// The bytes of a file at the last reading.
    private var lastDocument: Data?
    private var failures = 0
    private let progress = Mutex(Progress())

    init(
        source: ConfigSource, configuration: SDKConfiguration, transport: any HTTPTransport, surroundings: Surroundings,
        surface: Surface
    ) {
        self.source = source
        self.configuration = configuration
        self.transport = transport
        time = surroundings.time
        generator = surroundings.makeGenerator()
        self.surface = surface
    }

    /// Puts a config in place that the app gave.
    nonisolated func installNow(_ config: ProjectConfig) {
        Self.install(config, sdkKey: nil, configuration, surface)
        surface.hub.fireReady()
    }

    /// Fetches until the task is cancelled.
    func run() async {
        readCopy()
        while !Task.isCancelled {
            try? await refresh()
            guard let delay = nextDelay(), (try? await time.sleep(until: time.now + delay)) != nil else { return }
        }
    }

    /// Fetches now; a fetch that is under way serves all that ask meanwhile, and goes on when one of them gives up.
    nonisolated func refresh() async throws {
        let outcome = try progress.withLock { progress throws(ConvertError) in
            if progress.isStopped { throw .shutDown }
            if let fetch = progress.fetch { return fetch.outcome }
            let outcome = Outcome<Void>()
            let task = Task {
                do { outcome.set(.success(try await self.fetchOnce())) } catch { outcome.set(.failure(error)) }
            }
            progress.fetch = (task, outcome)
            progress.lastTask = task
            return outcome
        }
        _ = await outcome.latch.wait(by: time)
        guard let result = outcome.result else { throw CancellationError() }
        try result.get()
    }

    /// Ends the fetch that is under way, and lets no other begin.
    nonisolated func stop() {
        let task = progress.withLock { progress in
            progress.isStopped = true
            return progress.fetch?.task
        }
        task?.cancel()
        surface.readiness.end(.shutDown)
    }

    /// Waits until the last fetch is over, a copy that it writes included.
    nonisolated func finish() async { await progress.withLock { $0.lastTask }?.value }

    /// Whoever asks from here on, as one who learns of the answer may, wants a newer one.
    private func endFetch() throws(ConvertError) {
        try progress.withLock { progress throws(ConvertError) in
            progress.fetch = nil
            if progress.isStopped { throw .shutDown }
        }
    }

    /// After a success the interval, give or take a tenth, so that many servers do not ask in one moment.
    private func nextDelay() -> Duration? {
        var interval = configuration.refreshInterval
        if interval > .zero { interval = max(interval, SDKConfiguration.leastRefreshInterval) }
        if failures > 0 {
            var policy = DeliveryPolicy()
            policy.maximumRetryDelay = interval > .zero ? interval : .seconds(300)
            return policy.retryDelay(failures: failures, using: &generator) + .milliseconds(200)
        }
        guard interval > .zero else { return nil }
        return interval * Double.random(in: 0.9...1.1, using: &generator)
    }

    private func fetchOnce() async throws {
        do {
            switch source {
            case .fixed:
                try endFetch()
            case .file(let url):
                try endFetch()
                try readFile(url)
            case .cdn(let endpoint):
                let outcome: Result<ConditionalGET.Outcome, any Error>
                do { outcome = .success(try await ask(endpoint)) } catch { outcome = .failure(error) }
                try endFetch()
                try take(outcome.get(), of: endpoint)
            }
            failures = 0
            surface.log.clear(.configFetch)
        } catch {
            let error = error as? ConvertError ?? .unavailable(error)
            if error.code == .shutDown { throw error }
            failures += 1
            let consequence = hasSnapshot ? "the last good one stays in use" : "there is none yet"
            surface.log.once(.configFetch, "no new config, \(consequence): \(error)")
            surface.readiness.fail(error)
            throw error
        }
    }

    private func ask(_ endpoint: ConfigEndpoint) async throws -> ConditionalGET.Outcome {
        let get = ConditionalGET(try endpoint.request(), validators: hasSnapshot ? validators : nil)
        return try await withDeadline(configuration.requestTimeout + .seconds(5), by: time) { [transport] in
            try await transport.send(get)
        }
    }

    private func take(_ outcome: ConditionalGET.Outcome, of endpoint: ConfigEndpoint) throws {
        switch outcome {
        case .notModified(let newer):
            validators = newer
        case .modified(let response, let newer):
            install(try ProjectConfig(fetched: response.body))
            validators = newer
            writeCopy(response.body, of: endpoint)
        case .failed(let response):
            throw ConvertError.unavailable(status: response.status)
        }
    }

    private func readFile(_ url: URL) throws {
        guard url.isFileURL else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the config file's URL is no file URL; to fetch a config give an SDK key.")
        }
        let data: Data
        do {
            data = try RegularFile.read(url, limit: configuration.maximumConfigLength)
        } catch RegularFile.Failure.tooLong {
            throw ConvertError(
                code: .configUnavailable,
                message: "'\(url.path)' is longer than \(configuration.maximumConfigLength) bytes; "
                    + "give a shorter file or a larger maximumConfigLength.")
        } catch {
            throw ConvertError(
                code: .configUnavailable,
                message: "'\(url.path)' cannot be read or is no regular file; give the path of a project config.")
        }
        if data == lastDocument { return }
        install(try ProjectConfig(fetched: data))
        lastDocument = data
    }

    private static func install(
        _ config: ProjectConfig, sdkKey: String?, _ configuration: SDKConfiguration, _ surface: Surface
    ) {
        let project = CompiledProject(config, options: configuration.compilation)
        for diagnostic in project.diagnostics { surface.log.once(.config, "\(diagnostic)", "\(diagnostic)") }
        surface.replaceSnapshot(
            ConfigSnapshot(project: project, environment: configuration.environment, sdkKey: sdkKey))
        surface.readiness.succeed()
    }

    private func install(_ config: ProjectConfig) {
        Self.install(config, sdkKey: source.sdkKey, configuration, surface)
        if hasSnapshot { surface.hub.fire(.configUpdated) } else { surface.hub.fireReady() }
        hasSnapshot = true
    }

    private func copy(of endpoint: ConfigEndpoint) -> ConfigCopy? {
        // Drafts that a debug token shows must not survive into a start without it.
        guard let path = configuration.configCopyPath, configuration.debugToken == nil else { return nil }
        return ConfigCopy(url: URL(fileURLWithPath: path), identity: endpoint.identity)
    }

    private func readCopy() {
        // An app may have fetched before this task had its turn, and what it got is newer.
        guard !hasSnapshot, case .cdn(let endpoint) = source,
            let found = copy(of: endpoint)?.read(limit: configuration.maximumConfigLength)
        else { return }
        do {
            install(try ProjectConfig(fetched: found.document))
            validators = found.validators
        } catch {
            surface.log.once(.configCopyRead, "the config's copy on disk is not used: \(error)")
        }
    }

    private func writeCopy(_ document: Data, of endpoint: ConfigEndpoint) {
        guard let copy = copy(of: endpoint) else { return }
        do {
            try copy.write(document, validators: validators ?? HTTPValidators())
            surface.log.clear(.configCopyWrite)
        } catch {
            surface.log.once(
                .configCopyWrite, "the config's copy cannot be written to '\(copy.url.path)'; check place and space."
            )
        }
    }
}
