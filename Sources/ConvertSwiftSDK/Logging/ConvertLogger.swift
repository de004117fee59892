import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How much a message matters; the values are the JavaScript SDK's.
public enum ConvertLogLevel: Int, Sendable, Comparable, CaseIterable {
    case trace = 0, debug, info, warn, error, silent

    /// Whether `left` matters less.
    public static func < (left: ConvertLogLevel, right: ConvertLogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Where the SDK's messages go.
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
/// A bridge that also keeps the codes takes ``log(_:)`` instead.
///
/// Messages from ``ConvertLogLevel/info`` up hold nothing that a call says about a visitor: no id, and no name or value
/// of a property, a segment or a conversion. They may quote the config, also the names that its rules read, and keys of
/// experiences, features, goals, segments and variations that the app asks for. Messages of ``ConvertLogLevel/debug``
/// and ``ConvertLogLevel/trace`` may name properties. The SDK key's secret and the debug token are in none.
public protocol ConvertLogger: Sendable {
    /// Takes a message of one line, in which control characters and characters that are not shown are escaped.
    ///
    /// It is called on the thread where something happened, also while a visitor decides: it must be short, and it must
    /// not call the SDK.
    func log(_ level: ConvertLogLevel, _ message: String)

    /// Takes the same message with its code and metadata. The SDK calls this method; unless a logger says otherwise, it
    /// passes level and text on to ``log(_:_:)``.
    func log(_ message: ConvertLogMessage)
}

extension ConvertLogger {
    /// Takes the message's level and text.
    public func log(_ message: ConvertLogMessage) { log(message.level, message.text) }
}

/// Writes messages to standard error, a line each.
///
/// Messages may quote what a config, an endpoint or an app says. Line ends, other control characters and characters
/// that are not shown are written as `\u{1B}`, so that nothing quoted can forge a line or command a terminal.
struct StandardErrorLogger: ConvertLogger {
    func log(_ level: ConvertLogLevel, _ message: String) {
        // One call of write per line, so that lines of several threads do not mix.
        try? FileDescriptor.writeToStandardError(Data(Self.line(level, message).utf8))
    }

    /// The line that is written.
    static func line(_ level: ConvertLogLevel, _ message: String) -> String {
        "convert: \(level): \(message.onOneLine)\n"
    }
}
