import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// More visitors than the memory keeps.
@Suite(.timeLimit(.minutes(10)))
struct EvictionTests {
    private let ledger = ScriptedLedger()
    private let transport = ScriptedTransport(status: 200)

    private func sdk(hasLedger: Bool) throws -> ConvertSDK {
        try Fixture.sdk(transport: transport) {
            $0.ledger = hasLedger ? ledger : nil
            $0.visitorCapacity = 1
        }
    }

    @Test(arguments: [false, true]) func aVisitorOfWhomThereIsAContextStays(hasLedger: Bool) async throws {
        let sdk = try sdk(hasLedger: hasLedger)
        let contexts = await withTaskGroup(of: ConvertContext.self) { group in
            for number in 0..<20 { group.addTask { await sdk.loadContext(visitorID: "v\(number)") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for context in contexts { context.trackConversion("purchase") }
        for context in contexts {
            let other = await sdk.loadContext(visitorID: context.visitorID)
            #expect(other.trackConversion("purchase") == .alreadyTriggered)
            other.setDefaultSegments(["country": "US"])
            #expect(context.visitorData.segments == ["country": "US"])
            #expect(context.visitorData == other.visitorData)
        }
        #expect(await sdk.flush().delivered == 20)
    }

    @Test func aVisitorWhoseChangesWaitForTheLedgerStays() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk(hasLedger: true)
        for number in 0..<20 { await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") }
        for number in 0..<20 {
            #expect(await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") == .alreadyTriggered)
        }
        commits.open()
        #expect(await sdk.flush().delivered == 20)
    }

    @Test func anEvictedVisitorIsReadAgain() async throws {
        let sdk = try sdk(hasLedger: true)
        for number in 0..<20 {
            let context = await sdk.loadContext(visitorID: "v\(number)")
            context.trackConversion("purchase")
            try await context.persisted()
        }
        #expect(ledger.count(.visitor) == 20)
        for number in 0..<20 {
            #expect(await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") == .alreadyTriggered)
        }
        #expect(ledger.count(.visitor) >= 39)
    }
}
