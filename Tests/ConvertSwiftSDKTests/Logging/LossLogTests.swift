import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct LossLogTests {
    let clock = StepClock()
    let logger = RecordingLogger()

    private let full = LossLog.Loss(cause: .eventsURL, level: .warn, message: "things were lost.")
    private let other = LossLog.Loss(cause: .eventsSend, level: .error, message: "others too.")

    private func loses(_ log: Diagnostics, _ count: Int) {
        for _ in 0..<count { log.losses.add(1, of: full) }
    }

    @Test func theFirstLossIsLoggedAtOnceAndLaterOnesTogetherWithTheTotal() async throws {
        let log = Diagnostics(logger: logger, level: .warn, time: clock)
        loses(log, 3)
        log.losses.add(5, of: other)
        #expect(logger.warnings == ["1 things were lost.", "5 others too."])
        #expect(await eventually { clock.isAwaited(in: LossLog.interval) })
        clock.advance(by: LossLog.interval)
        #expect(await eventually { logger.warnings.count == 3 })
        #expect(logger.warnings.last == "3 things were lost.")
        loses(log, 2)
        #expect(logger.warnings.count == 3, "the interval after the second sum is not over")
        #expect(await eventually { clock.isAwaited(in: LossLog.interval) })
        clock.advance(by: LossLog.interval)
        #expect(await eventually { logger.warnings.last == "5 things were lost." })
        #expect(logger.warnings.count == 4, "what lost nothing more is not repeated")
    }

    @Test func remainingLossesAreLoggedAtTheEnd() {
        let log = Diagnostics(logger: logger, level: .warn, time: clock)
        loses(log, 4)
        log.losses.logRest()
        #expect(logger.warnings == ["1 things were lost.", "4 things were lost."])
        log.losses.logRest()
        #expect(logger.warnings.count == 2)
    }

    @Test func aLossBelowTheLevelIsNotLogged() {
        let log = Diagnostics(logger: logger, level: .error, time: clock)
        loses(log, 1)
        log.losses.add(1, of: other)
        #expect(logger.warnings == ["1 others too."])
    }

    @Test func eventsThatAreGivenUpAreSummedAndNameTheRemedy() async throws {
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.logger = logger
            $0.queueCapacity = 2
        }
        for index in 0..<10 { sdk.createContext(visitorID: "v\(index)").trackConversion("purchase") }
        #expect(sdk.deliveryCounts.rejectedTotal == 8)
        await sdk.shutdown(deadline: .zero)
        let losses = logger.warnings.filter { $0.contains("given up") }
        #expect(losses.map { $0.prefix { $0 != " " } } == ["1", "8"])
        #expect(losses.allSatisfy { $0.contains("queueCapacity (2)") && $0.contains("ledger") })
    }

    @Test func successesAreVisibleAtDebugLevel() async throws {
        let sdk = try Fixture.sdk(clock: clock) {
            $0.logger = logger
            $0.logLevel = .debug
            $0.ledger = MemoryLedger()
        }
        await sdk.loadContext(visitorID: "v1").trackConversion("purchase")
        await sdk.flush()
        let messages = logger.messages.filter { $0.level == .debug }.map(\.message)
        #expect(messages.contains("delivered 1 tracking event (flush)."))
    }
}
