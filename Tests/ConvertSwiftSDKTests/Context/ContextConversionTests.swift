import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

struct ContextConversionTests {
    /// The events that `body` causes, as they are sent.
    private func events(
        plan: JSValue = "pro", _ body: (ConvertContext) -> Void
    ) async throws -> [JSValue] {
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport)
        body(sdk.createContext(visitorID: "v1", attributes: ["plan": plan]))
        await sdk.flush()
        return transport.events.map(\.event)
    }

    @Test func aNumberThatCannotBeReportedIsWarnedOfOnce() throws {
        let logger = RecordingLogger()
        let context = try Fixture.sdk { $0.logger = logger }.createContext(visitorID: "v1")
        #expect(context.trackConversion("purchase", revenue: .nan) == .triggered)
        context.trackConversion("purchase", revenue: .infinity, forcesMultipleTransactions: true)
        context.trackConversion("purchase", revenue: 1, forcesMultipleTransactions: true)
        #expect(
            logger.warnings == [
                "a conversion of goal 'purchase' has a value that is infinite or not a number, and is reported as null"
                    + "; check the number first."
            ])
    }

    @Test func aGoalCountsOncePerVisitor() async throws {
        let events = try await events { context in
            #expect(context.trackConversion("purchase") == .triggered)
            #expect(context.trackConversion("purchase") == .alreadyTriggered)
        }
        #expect(events == [["eventType": "conversion", "data": ["goalId": "4"]]])
    }

    @Test func valuesComeInASecondEvent() async throws {
        let events = try await events { context in
            context.decide("pros")
            context.trackConversion(
                "purchase", revenue: 49.5, productsCount: 2, transactionID: "t-1", customDimensions: ["a", "b"])
        }
        let bucketing: JSValue = ["91": "910"]
        #expect(events.count == 3)
        #expect(
            events.first == ["eventType": "bucketing", "data": ["experienceId": "91", "variationId": "910"]])
        #expect(
            events.dropFirst().first
                == ["eventType": "conversion", "data": ["goalId": "4", "bucketingData": bucketing]])
        let values: JSValue = [
            ["key": "amount", "value": 49.5], ["key": "productsCount", "value": 2],
            ["key": "transactionId", "value": "t-1"], ["key": "customDimension1", "value": "a"],
            ["key": "customDimension2", "value": "b"],
        ]
        #expect(
            events.last
                == [
                    "eventType": "conversion",
                    "data": ["goalId": "4", "goalData": values, "bucketingData": bucketing],
                ])
    }

    @Test func forcedTransactionsRepeatTheValuesOnly() async throws {
        let events = try await events { context in
            context.trackConversion("purchase", revenue: 1)
            context.trackConversion("purchase", revenue: 2)
            context.trackConversion("purchase", revenue: 3, forcesMultipleTransactions: true)
        }
        let amounts = events.map { event in
            event.objectValue?["data"]?.objectValue?["goalData"]?.arrayValue?.first?.objectValue?["value"]
        }
        #expect(amounts == [nil, 1, 3])
    }

    @Test func ruleDataMustMatchAGoalsRules() async throws {
        let events = try await events { context in
            #expect(context.trackConversion("big", ruleData: ["size": "small"]) == .rulesNotMatched)
            #expect(context.trackConversion("purchase", ruleData: ["size": "big"]) == .rulesNotMatched)
            #expect(context.trackConversion("big", ruleData: ["size": "big"]) == .triggered)
        }
        #expect(events.count == 1)
    }

    @Test func twoContextsOfOneVisitorCountAGoalOnce() async throws {
        let sdk = try Fixture.sdk()
        let contexts = (0..<20).map { _ in sdk.createContext(visitorID: "v1") }
        let triggered = await withTaskGroup(of: Int.self) { group in
            for context in contexts { group.addTask { context.trackConversion("purchase") == .triggered ? 1 : 0 } }
            return await group.reduce(0, +)
        }
        #expect(triggered == 1)
        #expect(sdk.deliveryCounts.accepted == 1)
    }

    @Test func segmentsAreStoredAndReported() async throws {
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport)
        let context = sdk.createContext(visitorID: "v1", attributes: ["country": "US", "bought": "yes"])
        #expect(context.visitorData.segments == ["country": "US"])
        context.setDefaultSegments(["browser": "firefox", "shoe": 42])
        #expect(context.runCustomSegments(["buyers", "nope"]) == nil)
        context.updateVisitorProperties(["plan": "pro"])
        #expect(
            context.visitorData.segments
                == ["country": "US", "browser": "firefox", "customSegments": ["2"], "plan": "pro"])
        #expect(context.decide("pros").variation != nil)
        let later = sdk.createContext(visitorID: "v1")
        #expect(later.decide("pros").variation?.source == .stored)
        await sdk.flush()
        let visitor = transport.bodies.first?["visitors"]?.arrayValue?.first?.objectValue
        #expect(visitor?["segments"]?.objectValue?["country"] == "US")
    }

    @Test func aPreviewLeavesNoTrace() async throws {
        let transport = ScriptedTransport(status: 200)
        let listener = RecordingListener()
        let ledger = ScriptedLedger()
        let sdk = try Fixture.sdk(transport: transport) { $0.ledger = ledger }
        sdk.onEvent { listener.take($0) }
        let context = sdk.createContext(
            visitorID: "v1", attributes: ["plan": "pro"], locationProperties: ["page": "home"])
        await context.waitUntilLoaded(atMost: .seconds(5))
        #expect(context.setPreview(parameter: "94.940"))
        #expect(context.decide("gone").variation?.source == .preview)
        #expect(context.decideAll().compactMap(\.variation).last?.experienceKey == "gone")
        #expect(context.decide("pros").variation != nil && context.feature("flow").key == "flow")
        #expect(context.trackConversion("purchase", revenue: 1) == .preview)
        context.setDefaultSegments(["country": "US"])
        context.updateVisitorProperties(["a": 1])
        context.runCustomSegments(["buyers"], ruleData: ["bought": "yes"])
        await sdk.flush()
        #expect(context.visitorData.isEmpty)
        #expect(transport.requests.isEmpty && ledger.offers.isEmpty)
        #expect(listener.events == [.ready])
        #expect(sdk.deliveryCounts == DeliveryCounts())
        #expect(sdk.createContext(visitorID: "v1").visitorData.isEmpty)
    }

    @Test(arguments: [false, true])
    func aPreviewLeavesNoTraceFromTheContextsCreationOn(isReady: Bool) async throws {
        let (isServing, ledger, listener) = (Latch(), ScriptedLedger(), RecordingListener())
        let transport = ScriptedTransport { request, _ in
            if request.method == "GET" { _ = await isServing.wait() }
            return HTTPResponse(status: 200, body: Fixture.data)
        }
        let sdk = Fixture.fetchingSDK(transport: transport) { $0.ledger = ledger }
        if isReady {
            isServing.open()
            try await sdk.ready()
        }
        sdk.onEvent { listener.take($0) }
        var context: ConvertContext? = sdk.createContext(
            visitorID: "v1", attributes: ["plan": "pro", "country": "US"], locationProperties: ["page": "home"])
        #expect(context?.setPreview(parameter: "94.940") == isReady)
        if !isReady {
            isServing.open()
            try await sdk.ready()
        }
        #expect(context?.decide("gone").variation?.source == .preview)
        #expect(context?.decideAll().compactMap(\.variation).isEmpty == false)
        #expect(context?.explain("pros") != nil && context?.features().isEmpty == false)
        await context?.waitUntilLoaded(atMost: .seconds(5))
        context = nil
        await sdk.flush()
        #expect(transport.requests.allSatisfy { $0.method == "GET" } && ledger.offers.isEmpty)
        #expect(listener.events.allSatisfy { $0 == .ready })
        #expect(sdk.deliveryCounts == DeliveryCounts())
        #expect(sdk.createContext(visitorID: "v1").visitorData.isEmpty)
    }

    @Test(arguments: ["", "94", "94.", ".940", "94.940.1", "a.b", "94.94０", " 94.940"])
    func aMalformedPreviewParameterChangesNothing(parameter: String) throws {
        let context = try Fixture.sdk().createContext(visitorID: "v1")
        context.setPreview(parameter: "90.900")
        #expect(!context.setPreview(parameter: parameter))
        #expect(context.isPreviewing)
        #expect(!context.setPreview(experienceID: "90", variationID: "nope"))
        #expect(!context.isPreviewing)
    }
}
