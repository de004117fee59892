import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Hummingbird
import Logging

/// What the environment says.
///
///     CONVERT_SDK_KEY           the project's SDK key
///     CONVERT_CONFIG_ENDPOINT   where configs are fetched (default: the CDN)
///     CONVERT_TRACK_ENDPOINT    where events are sent (default: the metrics host)
///     CONVERT_REFRESH_SECONDS   how long a config is used (default: 300)
///     STATE_FOLDER              where visitors and undelivered events are kept
///     PORT                      the port on loopback (default: 0, a free one)
///     SHUTDOWN_SECONDS          how long the last events may take at the end (default: 10)
struct Settings {
    let sdkKey: String
    let configEndpoint: String
    let trackEndpoint: String
    let refreshInterval: Duration
    let stateFolder: URL
    let port: Int
    let shutdownDeadline: Duration

    init(_ environment: Environment) throws {
        sdkKey = try environment.require("CONVERT_SDK_KEY")
        configEndpoint = environment.get("CONVERT_CONFIG_ENDPOINT") ?? SDKConfiguration.defaultConfigEndpoint
        trackEndpoint = environment.get("CONVERT_TRACK_ENDPOINT") ?? SDKConfiguration.defaultTrackEndpoint
        refreshInterval = .seconds(environment.get("CONVERT_REFRESH_SECONDS", as: Double.self) ?? 300)
        stateFolder = URL(fileURLWithPath: try environment.require("STATE_FOLDER"), isDirectory: true)
        port = environment.get("PORT", as: Int.self) ?? 0
        shutdownDeadline = .seconds(environment.get("SHUTDOWN_SECONDS", as: Double.self) ?? 10)
    }

    /// The SDK as this server uses it: visitors and events are in SQLite, so that the end of the process loses neither.
    func makeSDK(logger: Logging.Logger) throws -> ConvertSDK {
        let report: @Sendable (StoreDiagnostic) -> Void = { logger.warning("\($0)") }
        var configuration = SDKConfiguration()
        configuration.configEndpoint = configEndpoint
        configuration.trackEndpoint = trackEndpoint
        configuration.refreshInterval = refreshInterval
        configuration.configCopyPath = stateFolder.appendingPathComponent("config.json").path
        configuration.journal = try SQLiteEventJournal(
            file: stateFolder.appendingPathComponent("events.sqlite"), report: report)
        configuration.visitorStore = try SQLiteVisitorStore(
            file: stateFolder.appendingPathComponent("visitors.sqlite"), report: report)
        configuration.logger = LogBridge(logger: logger)
        configuration.logLevel = .info
        return ConvertSDK(sdkKey: sdkKey, configuration: configuration)
    }
}
