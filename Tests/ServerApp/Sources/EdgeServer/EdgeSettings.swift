import ConvertLedgers
import Bridges
import ConvertRemoteEvaluation
import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

#if Postgres
import ConvertPostgresStores
#endif

/// What the environment says; the article "Run an edge server" has a table of the variables. An unusable value ends the
/// server with a message.
struct EdgeSettings {
    private enum Source {
        case key(String, secret: String?)
        case file(URL)
    }

    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    private let source: Source
    private let stateFolder: URL?
    private let database: String?
    private let environment: String
    private let refreshInterval: Duration
    private let configEndpoint: String
    private let trackEndpoint: String
    let remoteEvaluation: RemoteEvaluationConfiguration
    let connectionLimit: Int
    let host: String
    let port: Int
    let shutdownDeadline: Duration
    private let idleTimeout: TimeAmount

    /// `nil` if connections are not encrypted.
    private let tls: TLSConfiguration?

    init(_ environment: Environment) throws {
        let variables = Variables(environment: environment)
        switch try (variables.text("CONVERT_SDK_KEY"), variables.text("CONVERT_CONFIG_FILE")) {
        case (let key?, nil): source = .key(key, secret: try variables.text("CONVERT_SECRET"))
        case (nil, let file?):
            source = .file(URL(fileURLWithPath: file))
            for name in ["CONVERT_SECRET", "CONVERT_CONFIG_ENDPOINT", "CONVERT_TRACK_ENDPOINT"]
            where try variables.text(name) != nil {
                throw Invalid(description: "\(name) has no effect with CONVERT_CONFIG_FILE; unset one of them")
            }
        default: throw Invalid(description: "give CONVERT_SDK_KEY or CONVERT_CONFIG_FILE, one of them")
        }
        stateFolder = try variables.text("STATE_FOLDER").map { URL(fileURLWithPath: $0, isDirectory: true) }
        database = try variables.text("CONVERT_POSTGRES")
        self.environment = try variables.text("CONVERT_ENVIRONMENT") ?? "staging"
        configEndpoint = try variables.text("CONVERT_CONFIG_ENDPOINT") ?? SDKConfiguration().configEndpoint
        trackEndpoint = try variables.text("CONVERT_TRACK_ENDPOINT") ?? SDKConfiguration().trackEndpoint
        refreshInterval = .seconds(try variables.number("CONVERT_REFRESH_SECONDS", in: 1.0...604_800) ?? 300)
        var answers = RemoteEvaluationConfiguration()
        // What was answered is there after a crash. Clients give up after some 5 seconds, and the record of the visitor
        // may have taken one of them.
        answers.persistenceTimeout = .seconds(3)
        answers.accessKeys = try (variables.list("EDGE_KEYS") ?? []).map { RemoteEvaluationKey($0) }
        if let rate = try variables.number("EDGE_REQUESTS_PER_SECOND", in: 1 / 86_400...1_000_000.0) {
            answers.rateLimit = .init(requestsPerSecond: rate, burst: max(1, Int(rate)))
        }
        switch try (variables.text("TLS_CERTIFICATE"), variables.text("TLS_KEY")) {
        case (let certificate?, let key?):
            do {
                let chain = try NIOSSLCertificate.fromPEMFile(certificate).map(NIOSSLCertificateSource.certificate)
                let privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain, privateKey: .privateKey(privateKey))
                configuration.minimumTLSVersion = .tlsv12
                // A client that does not answer the end of a connection must not hold up the end of the server.
                configuration.shutdownTimeout = .milliseconds(500)
                tls = configuration
            } catch {
                throw Invalid(description: "TLS_CERTIFICATE and TLS_KEY cannot be read: \(error)")
            }
        case (nil, nil): tls = nil
        default: throw Invalid(description: "give TLS_CERTIFICATE and TLS_KEY, or neither")
        }
        connectionLimit = try variables.number("EDGE_CONNECTIONS", in: 1...1_000_000) ?? 10_000
        // Streams alone never take all connections.
        answers.limits.streams = connectionLimit / 2
        remoteEvaluation = answers
        idleTimeout = .seconds(try variables.number("EDGE_IDLE_SECONDS", in: 1...86_400) ?? 60)
        host = try variables.text("HOST") ?? "127.0.0.1"
        port = try variables.number("PORT", in: 0...65_535) ?? 8080
        shutdownDeadline = .seconds(try variables.number("SHUTDOWN_SECONDS", in: 0.0...3_600) ?? 10)
    }

    /// How connections are served.
    func server(of evaluation: CountedEvaluation) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder { [idleTimeout] in
            EdgeChannel(evaluation: evaluation, idleTimeout: idleTimeout, responder: $0)
        }
        return try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain
    }

    /// The SDK as this server uses it.
    func makeSDK(logger: Logging.Logger) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.configEndpoint = configEndpoint
        configuration.trackEndpoint = trackEndpoint
        configuration.refreshInterval = refreshInterval
        // The last good config serves after a restart, also while the CDN cannot be reached.
        configuration.configCopyFile = stateFolder?.appendingPathComponent("config.json")
        configuration.ledger = try makeLedger { logger.warning("\($0)") }
        let bridge = LogBridge(metadata: ["environment": "\(environment)"])
        configuration.logger = bridge
        configuration.logLevel = bridge.level
        return switch source {
        case .key(let key, let secret):
            ConvertSDK(sdkKey: key, environment: environment, secret: secret, configuration: configuration)
        case .file(let file):
            ConvertSDK(configFile: file, environment: environment, mode: .offline, configuration: configuration)
        }
    }

    /// Where visitors and events are kept; `nil` for the memory.
    private func makeLedger(report: @escaping @Sendable (StoreDiagnostic) -> Void) throws -> (any Ledger)? {
        if let database {
            #if Postgres
            return try PostgresLedger(database, report: report)
            #else
            throw Invalid(description: "CONVERT_POSTGRES needs a server that is built with the trait Postgres")
            #endif
        }
        return try stateFolder.map {
            try SQLiteLedger(file: $0.appendingPathComponent("convert.sqlite"), report: report)
        }
    }
}
