import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertConcurrency

/// The SDK's side of logging: levels, and warnings once per cause.
final class Diagnostics: Sendable {
    /// What the SDK itself can find wrong. There are so few that all are told apart for ever.
    enum Cause: Sendable, Hashable {
        case configFetch, configCopyRead, configCopyWrite, environment
        case eventsURL, eventsSend, eventsRejected(RejectionReason)
        case ledger, ledgerRead, ledgerRemoval, load, loadLimit
        case decisionLog

        /// The code of its messages.
        var code: String {
            switch self {
            case .configFetch: "config.fetchFailed"
            case .configCopyRead: "config.copyNotRead"
            case .configCopyWrite: "config.copyNotWritten"
            case .environment: "config.unknownEnvironment"
            case .eventsURL: "events.invalidEndpoint"
            case .eventsSend: "events.notSent"
            case .eventsRejected: "events.rejected"
            case .ledger: "ledger.failed"
            case .ledgerRead: "ledger.notRead"
            case .ledgerRemoval: "ledger.notRemoved"
            case .load: "ledger.visitorNotRead"
            case .loadLimit: "ledger.loadLimit"
            case .decisionLog: "decisionLog.lost"
            }
        }
    }

    /// The source of causes from outside, of which there may be any number.
    enum Origin: Sendable, CaseIterable {
        /// The config's author.
        case config
        /// What the config and a visitor's data together say.
        case decision
        /// The app, or a client that can make it ask for a key.
        case key

        /// The code of its messages.
        fileprivate var code: String {
            switch self {
            case .config: "config.finding"
            case .decision: "decision.warning"
            case .key: "call.mistake"
            }
        }
    }

    /// Causes of one origin beyond this many are not told apart any more: they are logged at debug level.
    static let causeLimit = 1000

    private struct Told {
        var causes: Set<Cause> = []
        /// Hashes, because the causes' own texts may be long.
        var outside: [Origin: Set<Int>] = [:]
    }

    private let logger: any ConvertLogger
    private let level: ConvertLogLevel
    private let told = Mutex(Told())
    /// What is lost, in sums.
    let losses: LossLog

    init(logger: any ConvertLogger, level: ConvertLogLevel, time: any TimeSource = SystemTime()) {
        self.logger = logger
        self.level = level
        losses = LossLog(time: time) { loss, total in
            guard loss.level >= level, loss.level != .silent else { return }
            logger.log(
                ConvertLogMessage(
                    level: loss.level, code: loss.cause.code, text: "\(total) \(loss.message)".onOneLine,
                    metadata: ["count": "\(total)"]))
        }
    }

    /// Logs a message if its level is asked for.
    func log(
        _ level: ConvertLogLevel, _ code: String, _ text: @autoclosure () -> String,
        _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        guard level >= self.level, level != .silent else { return }
        logger.log(ConvertLogMessage(level: level, code: code, text: text().onOneLine, metadata: metadata()))
    }

    /// Logs `message` the first time something happens for `cause`, and at debug level from then on, so that a fault in
    /// a busy server does not fill its log.
    func once(
        _ cause: Cause, level: ConvertLogLevel = .warn, _ message: @autoclosure () -> String,
        _ metadata: @autoclosure () -> [String: String] = [:]
    ) {
        guard level >= self.level else { return }
        let isNew = told.withLock { $0.causes.insert(cause).inserted }
        log(isNew ? level : .debug, cause.code, message(), metadata())
    }

    /// As ``once(_:level:_:)``, for the cause that `origin` names `name`.
    func once(_ origin: Origin, _ name: @autoclosure () -> String, _ message: @autoclosure () -> String) {
        guard .warn >= level else { return }
        let hash = name().hashValue
        let isNew = told.withLock { told in
            told.outside[origin, default: []].count < Self.causeLimit
                && told.outside[origin, default: []].insert(hash).inserted
        }
        log(isNew ? .warn : .debug, origin.code, message())
    }

    /// Forgets that something happened for `cause`, which is over: its next time is logged again.
    func clear(_ cause: Cause) { told.withLock { _ = $0.causes.remove(cause) } }
}
