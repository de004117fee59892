import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Previews of experiences that the config does not have.
struct LoadPreviewTests {
    /// What the endpoint serves for a draft: the experience and a feature of its own.
    private static let draft = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "features": [{"id": "8", "key": "soon", "variables": []}],
        "experiences": [{"id": "77", "key": "draft", "status": "draft", "variations": [{"id": "770", "key": "draft-a",
        "changes": [{"type": "fullStackFeature", "data": {"feature_id": "8", "variables_data": {}}}]}]}]}
        """.utf8)

    private static func transport(_ preview: @escaping @Sendable (Int) throws -> HTTPResponse) -> ScriptedTransport {
        ScriptedTransport { request, index in
            guard request.url.query?.contains("exp=") == true else {
                return HTTPResponse(status: 200, body: Fixture.data)
            }
            return try preview(index)
        }
    }

    @Test func anExperienceThatTheConfigLacksIsFetchedAndShown() async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Self.draft) }
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(try await context.loadPreview(experienceID: "77", variationID: "770"))
        #expect(context.decide("draft").variation?.variationKey == "draft-a")
        #expect(context.decide(experienceID: "77").variation?.source == .preview)
        #expect(context.isFeatureEnabled("soon"))
        #expect(context.decideAll().compactMap(\.variation).map(\.experienceKey).contains("pros"))
        // No other visitor sees it, and it leaves no trace.
        #expect(sdk.createContext(visitorID: "v1").decide("draft").reason == .unknownExperience)
        #expect(sdk.deliveryCounts.accepted == 0 && context.visitorData.isEmpty)
        // For a minute it is not fetched again, by whichever context.
        func requests() -> Int { transport.requests.count { $0.url.query?.contains("exp=77") == true } }
        #expect(try await sdk.createContext(visitorID: "v2").loadPreview(experienceID: "77", variationID: "770"))
        #expect(requests() == 1)
        clock.advance(by: PreviewLoader.lifetime)
        #expect(try await sdk.createContext(visitorID: "v3").loadPreview(experienceID: "77", variationID: "770"))
        #expect(requests() == 2)
    }

    @Test func aPreviewedVariationTakesNoVisitorAfterThePreview() async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Self.draft) }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        #expect(try await context.loadPreview(experienceID: "77", variationID: "770"))
        #expect(!context.setPreview(experienceID: "no", variationID: "no"))
        #expect(context.decide("draft").reason == .unknownExperience)
        #expect(try await !context.loadPreview(experienceID: "77", variationID: "no"))
        #expect(context.decide("draft").reason == .unknownExperience && !context.isPreviewing)
        #expect(context.decide("all").variation != nil && sdk.deliveryCounts.accepted == 1)
    }

    @Test(arguments: [("77", ""), ("", "770"), ("", "")])
    func withAnEmptyIDACallChangesNothing(experienceID: String, variationID: String) async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Self.draft) }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        #expect(try await !context.loadPreview(experienceID: experienceID, variationID: variationID))
        #expect(!context.setPreview(experienceID: experienceID, variationID: variationID))
        #expect(transport.requests.count == 1)
        #expect(try await context.loadPreview(experienceID: "77", variationID: "770"))
        #expect(try await context.loadPreview(experienceID: experienceID, variationID: variationID))
        #expect(context.setPreview(experienceID: experienceID, variationID: variationID))
        #expect(context.decide("draft").variation?.source == .preview)
        #expect(context.decide("all").variation != nil && sdk.deliveryCounts.accepted == 0)
    }

    @Test func withAnEmptyIDACallChangesNothingBeforeThereIsAConfig() async throws {
        let isServing = Latch()
        let sdk = Fixture.fetchingSDK(
            transport: ScriptedTransport { _, _ in
                _ = await isServing.wait()
                return HTTPResponse(status: 200, body: Fixture.data)
            })
        let context = sdk.createContext(visitorID: "v1")
        #expect(!context.setPreview(experienceID: "94", variationID: "940"))
        #expect(!context.setPreview(experienceID: "94", variationID: ""))
        isServing.open()
        try await sdk.ready()
        #expect(context.decide("gone").variation?.source == .preview)
    }

    @Test func aPreviewInTheConfigIsNotFetched() async throws {
        let transport = Self.transport { _ in throw Failure() }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        #expect(try await sdk.createContext(visitorID: "v1").loadPreview(experienceID: "94", variationID: "940"))
    }

    @Test func theEndOfTheSDKEndsAFetchAndLetsNoOtherBegin() async throws {
        let (asked, wasCancelled) = (Latch(), Latch())
        let transport = ScriptedTransport { request, _ in
            guard request.url.query?.contains("exp=") == true else {
                return HTTPResponse(status: 200, body: Fixture.data)
            }
            asked.open()
            if await !Latch().wait() { wasCancelled.open() }
            throw CancellationError()
        }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        let load = Task { try await context.loadPreview(experienceID: "77", variationID: "770") }
        #expect(await asked.wait())
        await sdk.shutdown()
        let error = await #expect(throws: ConvertError.self) { try await load.value }
        #expect(error?.code == .shutDown)
        #expect(await wasCancelled.wait())
        let count = transport.requests.count
        await #expect(throws: ConvertError.self) {
            try await context.loadPreview(experienceID: "78", variationID: "780")
        }
        #expect(transport.requests.count == count)
    }

    @Test func aPreviewThatIsBeingFetchedCountsUntilItArrives() async throws {
        let answers = Latch()
        let transport = ScriptedTransport { request, _ in
            guard request.url.query?.contains("exp=") == true else {
                return HTTPResponse(status: 200, body: Fixture.data)
            }
            _ = await answers.wait()
            return HTTPResponse(status: 200, body: Self.draft)
        }
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) { $0.requestTimeout = .seconds(3600) }
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        let loads = (0..<PreviewLoader.capacity).map { number in
            Task { try await context.loadPreview(experienceID: "\(number)", variationID: "770") }
        }
        #expect(
            await eventually { transport.requests.count { $0.url.query?.contains("exp=") == true } == loads.count })
        clock.advance(by: PreviewLoader.lifetime)
        let error = await #expect(throws: ConvertError.self) {
            try await context.loadPreview(experienceID: "one-more", variationID: "770")
        }
        #expect(error?.code == .configUnavailable)
        answers.open()
        for load in loads { _ = try await load.value }
    }

    @Test func twoPreviewsLoadedAtOnceEndInOrder() async throws {
        let answers = Latch()
        let transport = ScriptedTransport { request, _ in
            guard let query = request.url.query, query.contains("exp=") else {
                return HTTPResponse(status: 200, body: Fixture.data)
            }
            _ = await answers.wait()
            let text = String(decoding: Self.draft, as: UTF8.self)
            guard query.contains("exp=78") else { return HTTPResponse(status: 200, body: Self.draft) }
            let other = text.replacing("77", with: "78").replacing("draft", with: "other")
            return HTTPResponse(status: 200, body: Data(other.utf8))
        }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        async let first = context.loadPreview(experienceID: "77", variationID: "770")
        async let second = context.loadPreview(experienceID: "78", variationID: "780")
        #expect(await eventually { transport.requests.count { $0.url.query?.contains("exp=") == true } == 2 })
        answers.open()
        #expect(try await [first, second] == [true, true])
        #expect([context.decide("draft"), context.decide("other")].count { $0.variation != nil } == 1)
        #expect(!context.setPreview(experienceID: "no", variationID: "no"))
        #expect(context.decide("draft").reason == .unknownExperience)
        #expect(context.decide("other").reason == .unknownExperience)
    }

    @Test func betweenTwoPreviewsNothingIsDecidedWithoutOne() async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Self.draft) }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        // The two meet in the moment of the change now and then only.
        for index in 0..<100 {
            let context = sdk.createContext(visitorID: "v\(index)")
            #expect(try await context.loadPreview(experienceID: "77", variationID: "770"))
            let (isDeciding, isChanged, isOver) = (Latch(), Latch(), Latch())
            Thread.detachNewThread {
                repeat {
                    context.decide("all")
                    isDeciding.open()
                } while !isChanged.isOpen
                isOver.open()
            }
            _ = await isDeciding.wait()
            context.setPreview(experienceID: "94", variationID: "940")
            isChanged.open()
            _ = await isOver.wait()
        }
        #expect(sdk.deliveryCounts.accepted == 0)
    }

    @Test func unknownIDsStartNoPreview() async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Fixture.data) }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        #expect(try await !context.loadPreview(experienceID: "77", variationID: "770"))
        #expect(!context.isPreviewing && context.decide("all").variation != nil)
        let fixed = try Fixture.sdk().createContext(visitorID: "v1")
        #expect(try await !fixed.loadPreview(experienceID: "77", variationID: "770"))
    }

    @Test func aFailureIsThrownAndTriedAgain() async throws {
        let foreign = Data(
            #"{"account_id": "11", "project": {"id": "20"}, "experiences": [{"id": "77", "key": "d"}]}"#.utf8)
        let transport = Self.transport { index in
            switch index {
            case 1: throw Failure()
            case 2: HTTPResponse(status: 403)
            case 3: HTTPResponse(status: 200, body: Data("{".utf8))
            case 4: HTTPResponse(status: 200, body: foreign)
            default: HTTPResponse(status: 200, body: Self.draft)
            }
        }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        for code in [ConvertError.Code.configUnavailable, .accessDenied, .invalidConfig] {
            let error = await #expect(throws: ConvertError.self) {
                try await context.loadPreview(experienceID: "77", variationID: "770")
            }
            #expect(error?.code == code)
        }
        #expect(try await !context.loadPreview(experienceID: "77", variationID: "770"), "another project's")
        #expect(context.decide("all").variation != nil)
    }

    @Test func theNumberOfKeptPreviewsIsLimited() async throws {
        let transport = Self.transport { _ in HTTPResponse(status: 200, body: Fixture.data) }
        let sdk = Fixture.fetchingSDK(transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "v1")
        for id in 0..<PreviewLoader.capacity {
            _ = try await context.loadPreview(experienceID: "x\(id)", variationID: "1")
        }
        await #expect(throws: ConvertError.self) { try await context.loadPreview(experienceID: "y", variationID: "1") }
        #expect(transport.requests.count == PreviewLoader.capacity + 1)
    }

    @Test func aRequestBeforeTheFirstConfigIsAnError() async throws {
        let sdk = Fixture.fetchingSDK(transport: ScriptedTransport { _, _ in throw Failure() })
        let error = await #expect(throws: ConvertError.self) {
            try await sdk.createContext(visitorID: "v1").loadPreview(experienceID: "77", variationID: "770")
        }
        #expect(error?.code == .notReady)
    }
}
