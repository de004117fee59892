import ConvertLedgers
import Bridges
import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Hummingbird
import Logging

#if Postgres
import ConvertPostgresStores
#endif

/// What the environment says.
///
///     CONVERT_SDK_KEY           the project's SDK key
///     CONVERT_ENVIRONMENT       the environment that is decided in (default: staging)
///     CONVERT_CONFIG_ENDPOINT   where configs are fetched (default: the CDN)
///     CONVERT_TRACK_ENDPOINT    where events are sent (default: the metrics host)
///     CONVERT_REFRESH_SECONDS   how long a config is used (default: 300)
///     CONVERT_DECISION_LOG      the file that decisions are logged to (default: none)
///     CONVERT_POSTGRES          the database of a fleet of these servers, if it is built with the trait Postgres
///     STATE_FOLDER              where visitors and undelivered events are kept otherwise, and the copy of the config
///     PORT                      the port on loopback (default: 0, a free one)
///     SHUTDOWN_SECONDS          how long the last events may take at the end (default: 10)
struct Settings {
    let sdkKey: String
    let environment: String
    let configEndpoint: String
    let trackEndpoint: String
    let refreshInterval: Duration
    let decisionLog: URL?
    let database: String?
    let stateFolder: URL
    let port: Int
    let shutdownDeadline: Duration

    init(_ variables: Environment) throws {
        sdkKey = try variables.require("CONVERT_SDK_KEY")
        environment = variables.get("CONVERT_ENVIRONMENT") ?? "staging"
        configEndpoint = variables.get("CONVERT_CONFIG_ENDPOINT") ?? SDKConfiguration().configEndpoint
        trackEndpoint = variables.get("CONVERT_TRACK_ENDPOINT") ?? SDKConfiguration().trackEndpoint
        refreshInterval = .seconds(variables.get("CONVERT_REFRESH_SECONDS", as: Double.self) ?? 300)
        decisionLog = variables.get("CONVERT_DECISION_LOG").map { URL(fileURLWithPath: $0) }
        database = variables.get("CONVERT_POSTGRES")
        stateFolder = URL(fileURLWithPath: try variables.require("STATE_FOLDER"), isDirectory: true)
        port = variables.get("PORT", as: Int.self) ?? 0
        shutdownDeadline = .seconds(variables.get("SHUTDOWN_SECONDS", as: Double.self) ?? 10)
    }

    /// The SDK as this server uses it: visitors and events are in a ledger that outlives the process.
    func makeSDK(logger: Logging.Logger) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.configEndpoint = configEndpoint
        configuration.trackEndpoint = trackEndpoint
        configuration.refreshInterval = refreshInterval
        configuration.configCopyFile = stateFolder.appendingPathComponent("config.json")
        configuration.ledger = try makeLedger { logger.warning("\($0)") }
        if let decisionLog {
            configuration.decisionLog = DecisionLog(file: decisionLog)
            configuration.decisionLog?.capacity = 100_000
        }
        let bridge = LogBridge(metadata: ["environment": "\(environment)"])
        configuration.logger = bridge
        configuration.logLevel = bridge.level
        configuration.evaluationHook = EvaluationHooks(EvaluationMetrics(), EvaluationEvents())
        return ConvertSDK(sdkKey: sdkKey, environment: environment, configuration: configuration)
    }

    private func makeLedger(report: @escaping @Sendable (StoreDiagnostic) -> Void) throws -> any Ledger {
        #if Postgres
        if let database { return try PostgresLedger(database, lease: .seconds(3), report: report) }
        #endif
        return try SQLiteLedger(file: stateFolder.appendingPathComponent("convert.sqlite"), report: report)
    }
}
