public import ConvertSwiftSDK
public import Logging

/// Passes the SDK's messages to swift-log, under a label of their own, with their codes and metadata.
///
/// The SDK reports each cause once and sums losses, so no message needs to be filtered here.
///
/// Tried with swift-log 1.16.2.
public struct LogBridge: ConvertLogger {
    private let logger: Logging.Logger

    /// - Parameters:
    ///   - label: the logger's label, by which a server's log configuration finds it.
    ///   - metadata: what every message carries, such as the environment. Leave the SDK key's secret out.
    public init(label: String = "convert", metadata: Logging.Logger.Metadata = [:]) {
        var logger = Logging.Logger(label: label)
        for (key, value) in metadata { logger[metadataKey: key] = value }
        self.logger = logger
    }

    /// The level that the logger asks for, so that the SDK does not build messages that are not written.
    public var level: ConvertLogLevel {
        switch logger.logLevel {
        case .trace: .trace
        case .debug: .debug
        case .info, .notice: .info
        case .warning: .warn
        case .error, .critical: .error
        }
    }

    /// Logs the message with its code and metadata.
    public func log(_ message: ConvertLogMessage) {
        var metadata: Logging.Logger.Metadata = ["code": "\(message.code)"]
        for (name, value) in message.metadata { metadata[name] = "\(value)" }
        write(message.level, message.text, metadata)
    }

    /// Logs a message without a code.
    public func log(_ level: ConvertLogLevel, _ message: String) { write(level, message, [:]) }

    private func write(_ level: ConvertLogLevel, _ text: String, _ metadata: Logging.Logger.Metadata) {
        switch level {
        case .trace: logger.trace("\(text)", metadata: metadata)
        case .debug: logger.debug("\(text)", metadata: metadata)
        case .info: logger.info("\(text)", metadata: metadata)
        case .warn: logger.warning("\(text)", metadata: metadata)
        case .error: logger.error("\(text)", metadata: metadata)
        case .silent: break
        }
    }
}
