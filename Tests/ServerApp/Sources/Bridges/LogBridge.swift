package import ConvertSwiftSDK
package import Logging

/// Passes the SDK's messages to swift-log, under a label of their own and with metadata that says which SDK speaks.
///
/// The SDK reports each cause once and sums losses, so no message needs to be filtered here.
package struct LogBridge: ConvertLogger {
    private let logger: Logging.Logger

    /// - Parameters:
    ///   - label: the logger's label, by which a server's log configuration finds it.
    ///   - metadata: what every message carries, such as the environment. Leave the SDK key's secret out.
    package init(label: String = "convert", metadata: Logging.Logger.Metadata = [:]) {
        var logger = Logging.Logger(label: label)
        for (key, value) in metadata { logger[metadataKey: key] = value }
        self.logger = logger
    }

    /// The level that the logger asks for, so that the SDK does not build messages that nobody reads.
    package var level: LogLevel {
        switch logger.logLevel {
        case .trace: .trace
        case .debug: .debug
        case .info, .notice: .info
        case .warning: .warn
        case .error, .critical: .error
        }
    }

    package func log(_ level: LogLevel, _ message: String) {
        switch level {
        case .trace: logger.trace("\(message)")
        case .debug: logger.debug("\(message)")
        case .info: logger.info("\(message)")
        case .warn: logger.warning("\(message)")
        case .error: logger.error("\(message)")
        case .silent: break
        }
    }
}
