import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Provides the current config: one that the app passed, or one that is fetched at intervals.
///
/// If a fetch fails, the last good snapshot stays in use. Retries begin soon after a failure and become less frequent,
/// down to the refresh interval.
final class ConfigRefresher: Sendable {
    private let document: RemoteDocument?
    /// Whether nothing is fetched from the endpoint. A config file is still read.
    private let fetchesNothing: Bool
    private let configuration: SDKConfiguration
    private let time: any TimeSource
    private let installation: ConfigInstallation
    private let schedule: Mutex<(schedule: RefreshSchedule, generator: any RandomNumberGenerator & Sendable)>

    init(
        source: ConfigSource, configuration: SDKConfiguration, isOffline: Bool = false, transport: any HTTPTransport,
        surroundings: Surroundings, surface: ConfigInstallation.Surface
    ) {
        fetchesNothing = isOffline && source.endpoint != nil
        var interval = configuration.refreshInterval
        if interval > .zero { interval = max(interval, SDKConfiguration.leastRefreshInterval) }
        schedule = Mutex((RefreshSchedule(every: interval), surroundings.makeGenerator()))
        installation = ConfigInstallation(
            source: source, configuration: configuration, surface: surface, time: surroundings.time)
        self.configuration = configuration
        time = surroundings.time
        guard let origin = source.origin(configuration, isOffline: isOffline) else {
            document = nil
            // A config that the app passed is installed before the initializer returns.
            if case .fixed(let config, let revision) = source {
                installation.installGiven(config, revision: revision)
            }
            return
        }
        document = RemoteDocument(
            origin, copy: source.copy(configuration), transport: transport, time: surroundings.time,
            whenAbandoned: .goesOn,
            consumer: RemoteDocument.Consumer(
                adopt: { [installation] in
                    installation.install(try ProjectConfig(fetched: $0), revision: ConfigRevision(of: $0))
                },
                fetchEnded: { [installation] in installation.fetchEnded($0) },
                copyEnded: { [installation] in installation.copyEnded($0) }))
    }

    /// Fetches until the task is cancelled.
    func run() async {
        guard let document else { return }
        var isRestored = false
        do {
            isRestored = try await document.restore(limit: configuration.maximumConfigLength)
        } catch {
            installation.copyIsRefused(error)
        }
        if fetchesNothing {
            if !isRestored { installation.offlineWithoutConfig() }
            return
        }
        while !Task.isCancelled {
            let isSuccess = (try? await refresh()) != nil
            if !isSuccess, PlantedFault.isPlanted("refresh-ends-after-failure") { return }
            let delay = schedule.withLock { state in
                state.schedule.fetchEnded(isSuccess)
                return state.schedule.delay(using: &state.generator)
            }
            guard let delay, (try? await time.sleep(until: time.now + delay)) != nil else { return }
        }
    }

    /// Installs `config` in place of the current one.
    func install(_ config: ProjectConfig) { installation.installGiven(config, revision: nil) }

    /// How current the config is.
    var status: ConfigStatus { installation.status }

    /// Fetches now. Concurrent calls share a fetch; it continues if one of them is cancelled.
    func refresh() async throws(ConvertError) {
        guard let document else {
            if installation.isEnded { throw ConvertError.shutDown }
            return
        }
        do {
            _ = try await document.fetch()
        } catch is CancellationError where Task.isCancelled {
            throw ConvertError(code: .notReady, message: "the task was cancelled; the fetch goes on.")
        } catch {
            throw ConvertError(fetching: error)
        }
    }

    /// Ends the running fetch, and prevents further ones.
    func stop() {
        document?.end(with: ConvertError.shutDown)
        installation.end()
    }

    /// Waits until the last fetch has ended, including the copy that it writes.
    func finish() async { await document?.finish() }
}
