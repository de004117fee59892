import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Installs configs, and informs the affected parts of the SDK.
final class ConfigInstallation: Sendable {
    /// The parts of the SDK that a new config affects.
    struct Surface: Sendable {
        /// Replaces the current snapshot. Not called concurrently.
        let replaceSnapshot: @Sendable (ConfigSnapshot) -> Void
        let hub: EventHub
        let log: Diagnostics
        let readiness: Readiness
        /// Whether events are sent: `on`, `off` or `offline`.
        var tracking: @Sendable () -> String = { "on" }
    }

    private struct State {
        var hasSnapshot = false
        var revision: ConfigRevision?
        var fetches = FetchRecord<ConvertError>()
        var isEnded = false
    }

    private let source: ConfigSource
    private let configuration: SDKConfiguration
    private let surface: Surface
    private let time: any TimeSource
    private let state = Mutex(State())

    init(source: ConfigSource, configuration: SDKConfiguration, surface: Surface, time: any TimeSource) {
        self.source = source
        self.configuration = configuration
        self.surface = surface
        self.time = time
    }

    /// Whether the SDK was shut down, so that no further config is installed.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// How current the config is.
    var status: ConfigStatus {
        state.withLock { state in
            ConfigStatus(
                revision: state.revision?.description, age: state.fetches.age(at: time.now),
                failingSince: state.fetches.outage?.start, lastError: state.fetches.outage?.error)
        }
    }

    /// Installs a config that the app passed.
    func installGiven(_ config: ProjectConfig, revision: ConfigRevision?) {
        install(config, revision: revision)
        state.withLock { _ = $0.fetches.succeed(at: time.now) }
    }

    /// Compiles `config` and makes it the config of new contexts. Not called concurrently.
    ///
    /// - Parameter revision: identifies the config, if it was read from a document.
    func install(_ config: ProjectConfig, revision: ConfigRevision?) {
        let snapshot = ConfigSnapshot(
            config, options: configuration.compilation, environment: configuration.environment, sdkKey: source.sdkKey,
            logged: configuration.decisionLog.map { LoggedConfig(config, revision, configuration, $0) },
            revision: revision)
        for diagnostic in snapshot.project.diagnostics { surface.log.once(.config, "\(diagnostic)", "\(diagnostic)") }
        describe(config, revision)
        surface.replaceSnapshot(snapshot)
        surface.readiness.succeed()
        let isFirst = state.withLock { state in
            defer { state.hasSnapshot = true }
            state.revision = revision
            return !state.hasSnapshot
        }
        if isFirst { surface.hub.tellReady() } else { surface.hub.tell(.configUpdated) }
    }

    private func describe(_ config: ProjectConfig, _ revision: ConfigRevision?) {
        let summary = ConfigSummary(
            config: config, environment: configuration.environment, revision: revision, tracking: surface.tracking())
        surface.log.log(.info, "config.installed", summary.description)
        if let warning = summary.environmentWarning {
            surface.log.once(.environment, warning)
        } else {
            surface.log.clear(.environment)
        }
    }

    /// Logs the result of a fetch, and informs listeners.
    func fetchEnded(_ result: Result<RemoteDocument.Change, any Error>) {
        do {
            if case .unchanged = try result.get() {
                surface.log.log(.debug, "config.unchanged", "the config has not changed.")
            }
            surface.log.clear(.configFetch)
            if state.withLock({ $0.fetches.succeed(at: time.now) }) {
                surface.log.log(.info, "config.recovered", "the config can be fetched again.")
                surface.hub.tell(.configRefreshRecovered)
            }
        } catch {
            let error = ConvertError(fetching: error)
            if error.code == .shutDown { return }
            let hasSnapshot = state.withLock { $0.hasSnapshot }
            let consequence = hasSnapshot ? "no new config, the last good one stays in use" : "no config yet"
            surface.log.once(.configFetch, "\(consequence): \(error)")
            fail(error)
        }
    }

    /// Reports that there will be no config, because the SDK is offline.
    func offlineWithoutConfig() {
        surface.log.once(.configFetch, level: .error, "\(ConvertError.offline)")
        fail(.offline)
    }

    private func fail(_ error: ConvertError) {
        let isFirst = state.withLock { $0.fetches.fail(error, at: time.date) }
        surface.readiness.fail(error)
        if isFirst { surface.hub.tell(.configRefreshFailed(error)) }
    }

    /// Logs whether the copy on disk was written.
    func copyEnded(_ error: (any Error)?) {
        if error == nil {
            surface.log.log(.debug, "config.copyWritten", "the config's copy was written.")
            return surface.log.clear(.configCopyWrite)
        }
        let path = configuration.configCopyFile?.path ?? ""
        if case RegularFile.Failure.system(let number)? = error {
            let failure = FileFailure(number, at: path, .written)
            return surface.log.once(.configCopyWrite, "the config's copy is not written: \(failure).")
        }
        surface.log.once(
            .configCopyWrite, "the config's copy cannot be written to '\(path)'; check the path and the disk space.")
    }

    /// Logs that the copy on disk is not usable.
    func copyIsRefused(_ error: any Error) {
        surface.log.once(.configCopyRead, "the config's copy on disk is not used: \(error)")
    }

    /// Ends all waits for a config.
    func end() {
        state.withLock { $0.isEnded = true }
        surface.readiness.end(.shutDown)
    }
}
