import ConvertECMAScript
import ConvertConcurrency

/// Logs the SDK's messages by level, and warnings once per cause.
final class Diagnostics: Sendable {
    /// A cause within the SDK, with the code of its messages. There are few, so all of them are remembered.
    enum Cause: String, Sendable {
        case configFetch = "config.fetchFailed"
        case configCopyRead = "config.copyNotRead"
        case configCopyWrite = "config.copyNotWritten"
        case environment = "config.unknownEnvironment"
        case eventsURL = "events.invalidEndpoint"
        case eventsSend = "events.notSent"
        case eventsRejected = "events.rejected"
        case ledger = "ledger.failed"
        case ledgerRead = "ledger.notRead"
        case ledgerRemoval = "ledger.notRemoved"
        case ledgerEnd = "ledger.notStored"
        case load = "ledger.visitorNotRead"
        case loadLimit = "ledger.loadLimit"
        case decisionLog = "decisionLog.lost"
    }

    /// The source of causes from outside of the SDK, whose number is unlimited, with the code of its messages.
    enum Origin: String, Sendable, CaseIterable {
        /// The config's author.
        case config = "config.finding"
        /// The combination of the config and a visitor's data.
        case decision = "decision.warning"
        /// The app, or a client that can make it request a key.
        case key = "call.mistake"
    }

    /// The maximum number of causes remembered per origin. Further ones are logged at debug level.
    static let causeLimit = 1000

    private struct Told {
        var causes: Set<Cause> = []
        /// Hashes, because the names of causes may be long.
        var outside: [Origin: Set<Int>] = [:]
    }

    private let logger: any ConvertLogger
    private let level: ConvertLogLevel
    private let told = Mutex(Told())
    /// Sums up losses.
    let losses: LossLog

    init(logger: any ConvertLogger, level: ConvertLogLevel, time: any TimeSource = SystemTime()) {
        self.logger = logger
        self.level = level
        losses = LossLog(time: time) { loss, total in
            guard loss.level >= level, loss.level != .silent else { return }
            logger.log(
                ConvertLogMessage(
                    level: loss.level, code: loss.cause.rawValue, text: "\(total) \(loss.message)".onOneLine,
                    metadata: ["count": "\(total)"]))
        }
    }

    /// Logs a message if its level is enabled.
    func log(
        _ level: ConvertLogLevel, _ code: String, _ text: @autoclosure () -> String,
        _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        guard level >= self.level, level != .silent else { return }
        logger.log(ConvertLogMessage(level: level, code: code, text: text().onOneLine, metadata: metadata()))
    }

    /// Logs `message` at `level` the first time for `cause`, and at debug level from then on, so that a fault in a busy
    /// server does not fill its log.
    func once(
        _ cause: Cause, level: ConvertLogLevel = .warn, _ message: @autoclosure () -> String,
        _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        guard level >= self.level else { return }
        let isNew = told.withLock { $0.causes.insert(cause).inserted }
        log(isNew ? level : .debug, cause.rawValue, message(), metadata())
    }

    /// Like ``once(_:level:_:)``, for a cause from `origin` with this name.
    func once(_ origin: Origin, _ name: @autoclosure () -> String, _ message: @autoclosure () -> String) {
        guard .warn >= level else { return }
        let hash = name().hashValue
        let isNew = told.withLock { told in
            told.outside[origin, default: []].count < Self.causeLimit
                && told.outside[origin, default: []].insert(hash).inserted
        }
        log(isNew ? .warn : .debug, origin.rawValue, message())
    }

    /// Forgets `cause`, which has ended: its next message is logged at its own level again.
    func clear(_ cause: Cause) { told.withLock { _ = $0.causes.remove(cause) } }
}
