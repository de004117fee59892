import Synchronization

/// The SDK's side of logging: levels, and warnings once per cause.
final class Diagnostics: Sendable {
    /// Causes beyond this many are not told apart any more: they are logged at debug level.
    static let causeLimit = 1000

    private let logger: any ConvertLogger
    private let level: LogLevel
    private let causes = Mutex<Set<String>>([])

    init(logger: any ConvertLogger, level: LogLevel) {
        self.logger = logger
        self.level = level
    }

    /// Logs `message` if its level is asked for.
    func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        if level >= self.level && level != .silent { logger.log(level, message()) }
    }

    /// Logs `message` the first time something happens for `cause`, and at debug level from then on, so that a fault in a
    /// busy server does not fill its log.
    func once(
        _ cause: @autoclosure () -> String, level: LogLevel = .warn, _ message: @autoclosure () -> String
    ) {
        guard level >= self.level else { return }
        let isNew = causes.withLock { causes in
            causes.count < Self.causeLimit && causes.insert(cause()).inserted
        }
        log(isNew ? level : .debug, message())
    }

    /// The cause has gone: its next time is logged again.
    func isOver(_ cause: String) { causes.withLock { _ = $0.remove(cause) } }
}
