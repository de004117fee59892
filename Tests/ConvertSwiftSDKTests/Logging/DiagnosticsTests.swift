import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct DiagnosticsTests {
    let logger = RecordingLogger()

    @Test func aCauseWarnsOnceUntilItIsOver() {
        let log = Diagnostics(logger: logger, level: .debug)
        for _ in 0..<3 { log.once(.ledger, "no") }
        log.clear(.ledger)
        log.once(.ledger, "no again")
        #expect(logger.warnings == ["no", "no again"])
        #expect(logger.messages.count == 4)
    }

    @Test func namesFromOutsideWarnOnceEachUpToTheirOriginsLimit() {
        let log = Diagnostics(logger: logger, level: .warn)
        let limit = Diagnostics.causeLimit
        for origin in Diagnostics.Origin.allCases {
            let before = logger.warnings.count
            for _ in 0..<2 { for number in 0...limit { log.once(origin, "\(number)", "\(number)") } }
            #expect(logger.warnings.dropFirst(before) == (0..<limit).map { "\($0)" }[...], "\(origin)")
        }
        log.once(.eventsSend, "still heard")
        #expect(logger.warnings.last == "still heard")
    }

    @Test func aMadeUpGoalIsQuotedInPartOnly() throws {
        let context = try Fixture.sdk { $0.logger = logger }.createContext(visitorID: "v1")
        context.trackConversion(String(repeating: "x", count: 10_000))
        context.trackConversion("e" + String(repeating: "\u{301}", count: 10_000))
        #expect(logger.warnings.count == 2)
        #expect(logger.warnings.allSatisfy { $0.utf8.count < 400 })
    }

    @Test func madeUpGoalsDoNotSilenceTheEndpointsWarning() async throws {
        let sdk = try Fixture.sdk(transport: ScriptedTransport(status: 500)) { $0.logger = logger }
        let context = sdk.createContext(visitorID: "v1")
        for number in 0..<2000 { context.trackConversion("made up \(number)") }
        context.trackConversion("purchase")
        await sdk.flush()
        #expect(logger.warnings.count == Diagnostics.causeLimit + 1)
        #expect(logger.warnings.last?.contains("answered 500") == true)
    }
}
