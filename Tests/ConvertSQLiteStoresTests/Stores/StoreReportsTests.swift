import ConvertConcurrency
import ConvertMobileRules
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSQLiteStores
@testable import ConvertStoreSupport

/// Where diagnostics of a store go.
struct StoreReportsTests {
    private final class Logger: ConvertLogger {
        let messages = Log<String>()

        func log(_ level: ConvertLogLevel, _ message: String) { messages.append("\(level): \(message)") }

        /// How many files it says were set aside.
        var asideCount: Int { messages.entries.count { $0.hasPrefix("warn: ") && $0.contains("was corrupt") } }
    }

    private struct Observer: MobileRulesObserver {
        let warnings = Log<MobileRulesWarning>()

        func didWarn(_ warning: MobileRulesWarning) { warnings.append(warning) }
    }

    private let folder: TemporaryFolder
    private let printed = Log<StoreDiagnostic>()
    private let clock = StepClock()

    init() throws { folder = try TemporaryFolder() }

    private func corruptFile(_ name: String) throws -> URL {
        let file = folder.file(name)
        try Data(repeating: 7, count: 8192).write(to: file)
        return file
    }

    private func configuration(_ logger: Logger) throws -> SDKConfiguration {
        var configuration = SDKConfiguration()
        configuration.logger = logger
        return configuration
    }

    private static let config = Data(#"{"account_id":"1","project":{"id":"2"},"experiences":[]}"#.utf8)

    private func held() -> StoreReports {
        StoreReports(nil, time: clock) { [printed] in printed.append($0) }
    }

    private func replaced(_ number: Int) -> StoreDiagnostic { .databaseReplaced(path: "\(number)") }

    @Test func theSDKThatUsesALedgerLogsWhatTheLedgerFoundBefore() throws {
        let logger = Logger()
        var configuration = try configuration(logger)
        configuration.ledger = try SQLiteLedger(file: corruptFile("ledger"))
        _ = try ConvertSDK(configData: Self.config, configuration: configuration)
        #expect(logger.asideCount == 1, "\(logger.messages.entries)")
    }

    @Test func aHandlerOfTheAppsOwnGetsWhatTheLoggerDoesNot() throws {
        let (logger, reports) = (Logger(), Reports())
        var configuration = try configuration(logger)
        configuration.ledger = try SQLiteLedger(file: corruptFile("ledger"), report: reports.collect)
        _ = try ConvertSDK(configData: Self.config, configuration: configuration)
        #expect(reports.all.count == 1 && logger.messages.entries.isEmpty)
    }

    @Test func theObserverOfAnEngineIsWarnedOfWhatItsHistoryAndProfileFound() throws {
        let observer = Observer()
        var configuration = MobileRulesConfiguration()
        configuration.observer = observer
        configuration.history = try SQLiteEventHistory(file: corruptFile("history"))
        configuration.profile = try ClientSideProfile(file: corruptFile("profile"))
        _ = MobileRulesEngine(configuration)
        #expect(observer.warnings.entries.map(\.place) == ["event history", "profile"])
        #expect(observer.warnings.entries.allSatisfy { $0.message.contains("was corrupt") })
    }

    @Test func diagnosticsThatNothingTakesInTimeArePrinted() async throws {
        let reports = held()
        reports.report(replaced(1))
        #expect(await eventually { clock.isAwaited(in: StoreReports.patience) })
        #expect(printed.entries.isEmpty)
        clock.advance(by: StoreReports.patience)
        #expect(await eventually { printed.entries == [replaced(1)] })
        reports.report(replaced(2))
        #expect(printed.entries == [replaced(1), replaced(2)], "later ones do not wait")
        let logged = Log<String>()
        reports.report { logged.append($0.message) }
        reports.report(replaced(3))
        #expect(
            printed.entries.count == 2 && logged.entries == [replaced(3).description], "a late SDK logs what comes then"
        )
    }

    @Test func aStoreThatEndsPrintsWhatWaits() {
        held().report(replaced(1))
        #expect(printed.entries == [replaced(1)])
    }

    @Test func diagnosticsBeyondTheBoundArePrintedAndTheOthersWait() {
        let reports = held()
        for number in 0...StoreReports.limit { reports.report(replaced(number)) }
        #expect(printed.entries == [replaced(StoreReports.limit)])
        let logged = Log<String>()
        reports.report { logged.append($0.message) }
        #expect(logged.entries == (0..<StoreReports.limit).map { replaced($0).description })
    }

    @Test func aRecoveryIsNoTrouble() {
        let reports = held()
        reports.report(.databaseAvailable(path: "p"))
        reports.report(.recordsLost(path: "p", count: 1))
        let troubles = Log<Bool>()
        reports.report { troubles.append($0.isTrouble) }
        #expect(troubles.entries == [false, true])
    }
}
