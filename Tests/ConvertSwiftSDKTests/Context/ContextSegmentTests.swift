import ConvertLedgers
import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// Segments and properties that an app sets before there is a config.
struct ContextSegmentTests {
    private static func sdk(
        until isServing: Latch, _ configure: (inout SDKConfiguration) -> Void = { _ in }
    ) -> ConvertSDK {
        Fixture.fetchingSDK(
            transport: ScriptedTransport { _, _ in
                _ = await isServing.wait()
                return HTTPResponse(status: 200, body: Fixture.data)
            }, configure)
    }

    @Test func theyAreStoredInTheirOrderOnceThereIsAConfig() async throws {
        let (isServing, ledger, listener) = (Latch(), MemoryLedger(), RecordingListener())
        let sdk = Self.sdk(until: isServing) { $0.ledger = ledger }
        let context = sdk.createContext(visitorID: "v1", attributes: ["country": "FR", "source": "mail"])
        context.setDefaultSegments(["country": "US", "browser": "firefox", "shoe": 42])
        context.updateVisitorProperties(["plan": "basic", "browser": "safari"])
        context.updateVisitorProperties(["plan": "pro"])
        context.setDefaultSegments(["country": "DE"])
        #expect(context.visitorData.isEmpty)
        isServing.open()
        try await sdk.ready()
        sdk.onEvent { listener.take($0) }
        #expect(context.decide("pros").variation != nil, "the plan is known")
        await context.waitUntilLoaded(atMost: .seconds(5))
        let requested: JSObject = ["country": "DE", "browser": "safari", "plan": "pro"]
        #expect(listener.events.filter { $0 == .segments(visitorID: "v1", requested) }.count == 1)
        let segments: JSObject = ["country": "DE", "source": "mail", "browser": "safari", "plan": "pro"]
        #expect(context.visitorData.segments == segments)
        await sdk.flush()
        #expect(try await ledger.record("v1")?.segments == segments)
    }

    @Test func listsAreMergedOnceForEachWrite() async throws {
        let (isServing, ledger) = (Latch(), MemoryLedger())
        try await ledger.put(#"{"segments":{"country":["a","a"],"source":["a"]}}"#, of: "v1")
        let sdk = Self.sdk(until: isServing) { $0.ledger = ledger }
        let context = sdk.createContext(visitorID: "v1")
        context.setDefaultSegments(["country": "b", "source": ["b", "b"]])
        context.setDefaultSegments(["country": ["c", "c"]])
        isServing.open()
        try await sdk.ready()
        #expect(context.isConfigured)
        await context.waitUntilLoaded(atMost: .seconds(5))
        let segments: JSObject = ["country": ["c", "c"], "source": ["b", "a"]]
        #expect(context.visitorData.segments == segments)
        await sdk.flush()
        #expect(try await ledger.record("v1")?.segments == segments)
    }

    @Test(arguments: [true, false])
    func segmentsCountAfterAPreviewThatDoesNotExist(isKnown: Bool) async throws {
        let isServing = Latch()
        let sdk = Self.sdk(until: isServing)
        let context = sdk.createContext(visitorID: "v1")
        context.setDefaultSegments(["country": "US"])
        context.setPreview(experienceID: isKnown ? "94" : "no", variationID: "940")
        context.setDefaultSegments(["country": "DE"])
        isServing.open()
        try await sdk.ready()
        #expect(context.isConfigured && context.isPreviewing == isKnown)
        #expect(context.visitorData.segments == ["country": isKnown ? "US" : "DE"])
    }

    /// Events tell an empty set from none, as JavaScript's do.
    @Test(arguments: [false, true]) func anEmptySetOfPropertiesIsStored(isLate: Bool) async throws {
        let isServing = Latch()
        let sdk = Self.sdk(until: isServing)
        if !isLate {
            isServing.open()
            try await sdk.ready()
        }
        let context = sdk.createContext(visitorID: "v1")
        context.updateVisitorProperties([:])
        context.setDefaultSegments(["plan": "pro"])
        isServing.open()
        try await sdk.ready()
        #expect(context.isConfigured)
        #expect(context.visitorData.segments == [:])
        context.updateVisitorProperties(["plan": "pro"])
        context.updateVisitorProperties([:])
        #expect(context.visitorData.segments == ["plan": "pro"])
    }

    @Test func withoutAVisitorIDPropertiesAreNotKept() async throws {
        let isServing = Latch()
        let sdk = Self.sdk(until: isServing)
        let context = sdk.createContext(visitorID: "")
        context.updateVisitorProperties(["plan": "pro"])
        isServing.open()
        try await sdk.ready()
        #expect(context.isConfigured && context.visitorData.isEmpty)
    }
}
