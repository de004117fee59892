import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Ids and values that no visitor should have, over the end of a process.
@Suite(.timeLimit(.minutes(10)))
struct HostileRecordTests {
    private let disk = MemoryLedger()

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"},
        "goals": [{"id": "4", "key": "purchase"}, {"id": "5", "key": "__proto__"}, {"id": "6", "key": "constructor"}],
        "experiences": [{"id": "90", "key": "all", "variations": [
        {"id": "900", "key": "a", "traffic_allocation": 34}, {"id": "901", "key": "b", "traffic_allocation": 33},
        {"id": "902", "key": "c", "traffic_allocation": 33}]},
        {"id": "__proto__", "key": "proto", "variations": [
        {"id": "toString", "key": "pa", "traffic_allocation": 50},
        {"id": "7", "key": "pb", "traffic_allocation": 50}]}]}
        """.utf8)

    private func sdk(_ change: (inout SDKConfiguration) -> Void = { _ in }) throws -> ConvertSDK {
        try Fixture.sdk(
            source: .fixed(ProjectConfig(json: Self.config)), transport: ScriptedTransport(status: 500)
        ) {
            $0.ledger = ScriptedLedger(disk)
            $0.batchSize = 100_000
            change(&$0)
        }
    }

    private static let ids = [
        "a\0b", "a", "a\0", "é", "e\u{301}", "__proto__", "constructor", "toString", "10", "010", "-0", "4294967295",
        "\u{2028}\u{2029}", "\"},{\"", "\u{FFFD}", "👩‍👩‍👧‍👦", "\u{FEFF}", " ", "\u{202E}abc", "\\u0000", "a-b", "20-v1",
        "\u{1F1E6}\u{1F1E7}", "\r\n", "\n\r", "K", "\u{212A}", "Å", "\u{212B}", "A\u{30A}",
    ]

    @Test func hostileIDsAreKeptApartOverAKill() async throws {
        let ids = Self.ids + [String(repeating: "e\u{301}", count: 10_000)]
        let killed = try sdk()
        for (index, id) in ids.enumerated() {
            let context = await killed.loadContext(visitorID: id)
            let forced = ["900", "901", "902"][index % 3]
            #expect(
                context.decide("all", options: .with { $0.forcedVariationID = forced }).variation != nil, "\(index)")
            #expect(context.decide("proto").variation != nil)
            for goal in ["__proto__", "constructor"] {
                #expect(context.trackConversion(goal, revenue: 1) == .triggered, "\(index)")
                #expect(context.trackConversion(goal, revenue: 1) == .alreadyTriggered, "\(index)")
            }
        }
        await killed.flush()
        let next = try sdk()
        for (index, id) in ids.enumerated() {
            let context = await next.loadContext(visitorID: id)
            let variation = context.decide("all").variation
            #expect(
                variation?.variationID == ["900", "901", "902"][index % 3] && variation?.source == .stored, "\(index)")
            #expect(context.decide("proto").variation?.source == .stored, "\(index)")
            #expect(context.trackConversion("__proto__") == .alreadyTriggered, "\(index)")
            #expect(context.trackConversion("constructor") == .alreadyTriggered, "\(index)")
            #expect(context.trackConversion("purchase") == .triggered, "\(index)")
        }
        // Two decisions and two goals with values.
        #expect(await eventually { next.deliveryCounts.restored == ids.count * 6 }, "\(next.deliveryCounts)")
        withExtendedLifetime(killed) {}
    }

    private func nested(_ depth: Int) -> JSValue {
        var value = JSValue.integer(1)
        for _ in 0..<depth { value = .array([value]) }
        return value
    }

    /// An app may nest what a client sent deeper than a ledger can read.
    @Test(arguments: [512, 513, 529, 2000]) func deepValuesOfAConversionDoNotForgetIt(depth: Int) async throws {
        let logger = RecordingLogger()
        let killed = try sdk { $0.logger = logger }
        let context = await killed.loadContext(visitorID: "v1")
        var options = ConversionOptions()
        options.goalData = [["key": "amount", "value": 3], nested(depth)]
        #expect(context.trackConversion("purchase", options: options) == .triggered)
        #expect(logger.warnings.contains { $0.contains("512 deep") } == (depth > 512))
        try await context.persisted()
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        #expect(await eventually { next.deliveryCounts.restored == 2 })
        #expect(next.deliveryCounts.rejectedTotal == 0, "\(next.deliveryCounts)")
        withExtendedLifetime(killed) {}
    }

    @Test func deepPropertiesAreLeftOutWithAWarning() async throws {
        let logger = RecordingLogger()
        let sdk = try sdk { $0.logger = logger }
        let context = await sdk.loadContext(visitorID: "v1")
        context.updateVisitorProperties(["cart": nested(513), "plan": "pro", "deep": nested(512)])
        context.setDefaultSegments(["country": nested(600), "browser": "firefox"])
        #expect(context.visitorData.segments?["cart"] == nil && context.visitorData.segments?["country"] == nil)
        #expect(context.visitorData.segments?["plan"] == "pro" && context.visitorData.segments?["browser"] == "firefox")
        #expect(context.visitorData.segments?["deep"] == nested(512))
        #expect(logger.warnings.count { $0.contains("flatten it") } == 1)
        await sdk.flush()
        #expect(try await disk.record("v1")?.segments?["plan"] == "pro")
    }

    /// What a client sent may be as deep as JSON is read, and lies deeper in what is written around it.
    @Test func theDeepestValuesThatAreReadAreReadBack() throws {
        let depth = ConfigLimits.depth - 1
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let attributes = try #require(try JSValue(json: Data(#"{"country":\#(text)}"#.utf8)).objectValue)
        let goalData: [JSValue] = [["key": "amount", "value": attributes["country"] ?? .null]]
        let goal = try #require(try Fixture.config().goals.first).id
        let event = QueuedEvent(
            destination: TrackingDestination(sdkKey: "key", accountID: "1", projectID: "2"), visitorID: "v",
            segments: attributes,
            content: .tracked(.conversion(goalID: goal, goalData: .array(goalData), bucketing: nil)))
        let id = EventID(owner: 1, number: 1)
        let read = try #require(QueuedEvent(StoredEvent(id: id, record: event.record)))
        #expect(read.segments == attributes && read.payload == event.payload && read.ledgerID == id)
    }

    @Test func oneReadIsBoundedInBytes() async throws {
        let value = JSValue.string(String(repeating: "x", count: 100_000))
        let killed = try sdk()
        for number in 0..<60 {
            var options = ConversionOptions()
            options.goalData = [["key": "amount", "value": value]]
            killed.createContext(visitorID: "v\(number)").trackConversion("purchase", options: options)
        }
        await killed.flush()
        let next = try sdk { $0.queueByteCapacity = 1 << 20 }
        #expect(await eventually { next.deliveryCounts.restored > 0 })
        _ = await next.loadContext(visitorID: "v0")
        let bytes = next.engine.delivery.machine.withLock { $0.state.bytes }
        #expect(bytes > 0 && bytes <= 1 << 20)
        withExtendedLifetime(killed) {}
    }
}
