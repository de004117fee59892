import ConvertECMAScript
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The importance of a message. The raw values are the same as in the JavaScript SDK.
public enum ConvertLogLevel: Int, Sendable, Comparable, CaseIterable {
    case trace = 0, debug, info, warn, error, silent

    /// Whether `left` is less important.
    public static func < (left: ConvertLogLevel, right: ConvertLogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The destination of the SDK's messages.
///
/// A server that logs through swift-log bridges it in a few lines:
///
///     struct LogBridge: ConvertLogger {
///         let logger: Logging.Logger
///
///         func log(_ level: ConvertLogLevel, _ message: String) {
///             switch level {
///             case .trace: logger.trace("\(message)")
///             case .debug: logger.debug("\(message)")
///             case .info: logger.info("\(message)")
///             case .warn: logger.warning("\(message)")
///             case .error: logger.error("\(message)")
///             case .silent: break
///             }
///         }
///     }
///
/// To keep the codes too, implement ``log(_:)`` instead.
///
/// Messages of level ``ConvertLogLevel/info`` and above contain nothing that a call passes about a visitor: no id, and
/// no name or value of a property, a segment or a conversion. They may quote the config, including the names that its
/// rules read, and keys of experiences, features, goals, segments and variations that the app requests. Messages of
/// level ``ConvertLogLevel/debug`` and ``ConvertLogLevel/trace`` may name properties. No message contains the SDK key's
/// secret or the debug token.
public protocol ConvertLogger: Sendable {
    /// Logs a message of one line. Control characters and invisible characters in it are escaped.
    ///
    /// Called on the thread that causes the message, even during a decision. It must be short and must not call the
    /// SDK.
    func log(_ level: ConvertLogLevel, _ message: String)

    /// Logs the same message with its code and metadata. The SDK calls this method; the default implementation passes
    /// level and text to ``log(_:_:)``.
    func log(_ message: ConvertLogMessage)
}

extension ConvertLogger {
    /// Passes the message's level and text to ``log(_:_:)``.
    public func log(_ message: ConvertLogMessage) { log(message.level, message.text) }
}

/// Writes each message to standard error as a line.
///
/// Messages may quote a config, an endpoint's response or an app's text. Line ends, other control characters and
/// invisible characters are written as `\u{1B}`, so that a quotation can neither forge a line nor control a terminal.
struct StandardErrorLogger: ConvertLogger {
    func log(_ level: ConvertLogLevel, _ message: String) {
        // One call of `write` per line, so that lines of several threads do not mix.
        try? FileDescriptor.writeToStandardError(Data(Self.line(level, message).utf8))
    }

    /// The line to write.
    static func line(_ level: ConvertLogLevel, _ message: String) -> String {
        "convert: \(level): \(message.onOneLine)\n"
    }
}
