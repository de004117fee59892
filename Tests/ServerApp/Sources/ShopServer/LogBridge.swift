import ConvertSwiftSDK
import Logging

/// Hands the SDK's messages on to swift-log.
struct LogBridge: ConvertLogger {
    let logger: Logging.Logger

    func log(_ level: LogLevel, _ message: String) {
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
