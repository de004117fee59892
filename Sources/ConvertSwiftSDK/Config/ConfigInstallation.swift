import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

/// Puts configs in place, and tells the parts of the SDK that they concern.
final class ConfigInstallation: Sendable {
    /// The parts of the SDK that a new config concerns.
    struct Surface: Sendable {
        /// Puts a snapshot in place. Only one thread does so at a time.
        let replaceSnapshot: @Sendable (ConfigSnapshot) -> Void
        let hub: EventHub
        let log: Diagnostics
        let readiness: Readiness
    }

    private struct State {
        var hasSnapshot = false
        var isEnded = false
    }

    private let source: ConfigSource
    private let configuration: SDKConfiguration
    private let surface: Surface
    private let state = Mutex(State())

    init(source: ConfigSource, configuration: SDKConfiguration, surface: Surface) {
        self.source = source
        self.configuration = configuration
        self.surface = surface
    }

    /// Whether there is to be no further config.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Compiles `config` and lets new contexts be made on it. Only one thread does so at a time.
    func install(_ config: ProjectConfig) {
        let project = Project(config, options: configuration.compilation)
        for diagnostic in project.diagnostics { surface.log.once(.config, "\(diagnostic)", "\(diagnostic)") }
        surface.replaceSnapshot(
            ConfigSnapshot(project: project, environment: configuration.environment, sdkKey: source.sdkKey))
        surface.readiness.succeed()
        let isFirst = state.withLock { state in
            defer { state.hasSnapshot = true }
            return !state.hasSnapshot
        }
        if isFirst { surface.hub.tellReady() } else { surface.hub.tell(.configUpdated) }
    }

    /// Says how a fetch ended.
    func fetchEnded(_ result: Result<RemoteDocument.Change, any Error>) {
        do {
            _ = try result.get()
            surface.log.clear(.configFetch)
        } catch {
            let error = ConvertError(fetching: error)
            if error.code == .shutDown { return }
            let hasSnapshot = state.withLock { $0.hasSnapshot }
            let consequence = hasSnapshot ? "the last good one stays in use" : "there is none yet"
            surface.log.once(.configFetch, "no new config, \(consequence): \(error)")
            surface.readiness.fail(error)
        }
    }

    /// Says whether the copy on disk was written.
    func copyEnded(_ error: (any Error)?) {
        if error == nil { return surface.log.clear(.configCopyWrite) }
        let path = configuration.configCopyPath ?? ""
        surface.log.once(
            .configCopyWrite, "the config's copy cannot be written to '\(path)'; check place and space.")
    }

    /// Says that the copy on disk does not serve.
    func copyIsRefused(_ error: any Error) {
        surface.log.once(.configCopyRead, "the config's copy on disk is not used: \(error)")
    }

    /// Lets nobody wait for a config any more.
    func end() {
        state.withLock { $0.isEnded = true }
        surface.readiness.end(.shutDown)
    }
}
