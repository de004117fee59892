import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// The accounts of events while everything happens at once, looked at from a thread of its own.
@Suite(.timeLimit(.minutes(10)))
struct AccountsTests {
    private static func track(_ sdk: ConvertSDK, _ seed: Int) {
        var random = SeededGenerator(seed: seed)
        for number in 0..<150 {
            let context = sdk.createContext(visitorID: "v\(random.int(0...30))", attributes: ["plan": "pro"])
            switch random.int(0...4) {
            case 0: context.decideAll()
            case 1: context.trackConversion("purchase")
            case 2: context.trackConversion("purchase", options: NumberedConversion.options(number))
            case 3: context.setDefaultSegments(["country": .integer(number)])
            default: context.decide("all", options: .with { $0.forcedVariationID = "900" })
            }
        }
    }

    private static func disturb(_ sdk: ConvertSDK, _ ledger: ScriptedLedger, _ status: Shared<Int>, _ seed: Int) async {
        var random = SeededGenerator(seed: seed)
        var gates: [Latch] = []
        for _ in 0..<60 {
            switch random.int(0...9) {
            case 0: ledger.fail([.commit, .remove])
            case 1: ledger.losesAnswers = random.happens(50)
            case 2: gates.append(ledger.hold(.commit))
            case 3, 4:
                ledger.heal()
                for gate in gates { gate.open() }
            case 5: ledger.endOwner()
            case 6: status.withLock { $0 = [200, 200, 400, 500, 401].randomElement(using: &random) ?? 200 }
            case 7: Task { try? await sdk.forget(visitorID: "v1", timeout: .seconds(5)) }
            case 8: Task { await sdk.flush() }
            default: ledger.fail([.undelivered])
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
        ledger.heal()
        ledger.losesAnswers = false
        for gate in gates { gate.open() }
        status.withLock { $0 = 200 }
    }

    @Test(arguments: [false, true]) func theyBalanceAtEveryMoment(isShared: Bool) async throws {
        for seed in 0..<caseCount(5) {
            let (clock, ledger, status) = (StepClock(), ScriptedLedger(isShared: isShared), Shared(200))
            let transport = ScriptedTransport { _, _ in HTTPResponse(status: status.withLock { $0 }) }
            let sdk = try Fixture.sdk(clock: clock, transport: transport) {
                $0.ledger = ledger
                $0.ledgerPatience = .seconds(3)
                $0.queueCapacity = 60
                $0.logLevel = .silent
            }
            let ticking = clock.tick(by: .milliseconds(100))
            let isOver = Latch()
            async let wrong = aside { () -> DeliveryCounts? in
                while !isOver.isOpen {
                    let counts = sdk.deliveryCounts
                    if !counts.isComplete || counts.queued < 0 { return counts }
                    Thread.sleep(forTimeInterval: 0.0001)
                }
                return nil
            }
            async let first: Void = aside { Self.track(sdk, seed * 10) }
            async let second: Void = aside { Self.track(sdk, seed * 10 + 1) }
            await Self.disturb(sdk, ledger, status, seed)
            _ = try await (first, second)
            let report = await sdk.shutdown(deadline: .seconds(10_000))
            isOver.open()
            let unbalanced = try await wrong
            ticking.cancel()
            #expect(unbalanced == nil, "seed \(seed)")
            #expect(report.events.isComplete && report.events.queued == 0, "seed \(seed): \(report)")
            #expect(report.unstoredEntries == sdk.ledgerStatus?.lostEntries, "seed \(seed)")
            #expect(await ledger.disk.eventCount == 0 || isShared, "seed \(seed)")
        }
    }
}
