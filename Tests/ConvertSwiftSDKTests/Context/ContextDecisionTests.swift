import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTransport
import ConvertConcurrency
import ConvertTestSupport
import ConvertTestServer
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct ContextDecisionTests {
    @Test func contextsDecideAsTheCoreDoes() throws {
        let sdk = try Fixture.sdk()
        let manager = ExperienceManager(project: Project(try Fixture.config()))
        for index in 0..<caseCount(500, plain: 150) {
            let attributes: JSObject = index.isMultiple(of: 2) ? ["plan": "pro"] : ["plan": "free"]
            let options = DecisionOptions.with {
                $0.locationProperties = index.isMultiple(of: 3) ? ["page": "home"] : nil
            }
            let context = sdk.createContext(visitorID: "v\(index)", attributes: attributes)
            var visitor = manager.visitor(id: "v\(index)", attributes: attributes)
            for key in manager.project.config.experiences.compactMap(\.key) {
                let expected = manager.selectVariation(key, for: &visitor, options: options).value
                let decision = context.decide(key, options: options)
                #expect(decision.reason == expected.reason)
                #expect(decision.variation?.variationID == expected.variation?.variationID)
                #expect(decision.variation?.bucketingAllocation == expected.variation?.bucketingAllocation)
            }
            #expect(
                context.decideAll(options: options).compactMap(\.variation).map(\.variationID)
                    == manager.selectVariations(for: &visitor, options: options).value.compactMap {
                        $0.variation?.variationID
                    })
            #expect(context.visitorData == visitor.state)
        }
    }

    @Test func anUndecidableCallHasADefinedAnswer() throws {
        let sdk = try Fixture.sdk()
        #expect(sdk.createContext(visitorID: "").decide("all").reason == .missingVisitorID)
        #expect(sdk.createContext(visitorID: "").feature("flow").status == .disabled)
        #expect(sdk.createContext(visitorID: "").trackConversion("purchase") == .missingVisitorID)
        #expect(sdk.createContext(visitorID: "v").decide("nope").reason == .unknownExperience)
        #expect(sdk.createContext(visitorID: "v").feature("nope").status == .disabled)
        #expect(sdk.createContext(visitorID: "v").trackConversion("nope") == .unknownGoal)
        #expect(sdk.createContext(visitorID: "").visitorData.isEmpty)
    }

    @Test func withoutAConfigEveryCallHasAnAnswerAndTheFirstConfigIsTaken() async throws {
        let gate = Latch()
        let transport = ScriptedTransport { request, _ in
            _ = await gate.wait()
            return HTTPResponse(status: 200, body: Fixture.data)
        }
        let sdk = Fixture.fetchingSDK(transport: transport)
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(!sdk.isReady)
        #expect(context.decide("pros").reason == .sdkNotReady)
        #expect(context.decideAll().compactMap(\.variation).isEmpty)
        #expect(context.decideAll().isEmpty)
        #expect(context.explain("pros") == nil)
        #expect(context.feature("flow").status == .disabled)
        #expect(context.features().isEmpty)
        #expect(context.trackConversion("purchase") == .sdkNotReady)
        #expect(context.runCustomSegments(["buyers"]) == .sdkNotReady)
        #expect(context.visitorData.isEmpty)
        #expect(context.config == nil)
        #expect(!context.setPreview(experienceID: "90", variationID: "900"))
        gate.open()
        try await sdk.ready()
        #expect(context.decide("pros").variation?.variationKey == "pros-a")
        #expect(context.decide("all").variation?.source == .preview)
    }

    @Test func optionsCountPerCall() throws {
        let sdk = try Fixture.sdk { $0.environment = "staging" }
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "free"])
        #expect(context.decide("live").reason == .otherEnvironment)
        #expect(context.decide("live", options: .with { $0.environment = "production" }).variation != nil)
        #expect(context.decide("pros").reason == .audienceNotMatched)
        #expect(context.decide("pros", options: .with { $0.visitorProperties = ["plan": "pro"] }).variation != nil)
        #expect(context.decide("home").reason == .locationNotMatched)
        #expect(context.decide("home", options: .with { $0.ignoresLocationProperties = true }).variation != nil)
        #expect(context.decide("gone").reason == .archived)
        let forced = context.decide("all", options: .with { $0.forcedVariationID = "901" }).variation
        #expect(forced?.variationID == "901" && forced?.source == .forced)
    }

    @Test func theContextsLocationServesCallsThatBringNone() throws {
        let context = try Fixture.sdk().createContext(visitorID: "v1", locationProperties: ["page": "home"])
        #expect(context.decide("home").variation != nil)
        let elsewhere = DecisionOptions.with { $0.locationProperties = ["page": "cart"] }
        #expect(context.decide("home", options: elsewhere).reason == .locationNotMatched)
    }

    @Test func storageAndTrackingCanBeLeftOutOfACall() throws {
        let sdk = try Fixture.sdk()
        let context = sdk.createContext(visitorID: "v1")
        context.decide(
            "all",
            options: .with {
                $0.isStorageEnabled = false
                $0.isTrackingEnabled = false
            })
        #expect(context.visitorData.isEmpty)
        #expect(sdk.deliveryCounts.accepted == 0)
        context.decide("all", options: .with { $0.isTrackingEnabled = false })
        #expect(context.visitorData.bucketing != nil)
        #expect(sdk.deliveryCounts.accepted == 0)
    }

    @Test func eventsTrackedWhileTrackingIsOffAreSentOnceItIsOn() async throws {
        let (transport, clock) = (ScriptedTransport(status: 200), StepClock())
        let sdk = try Fixture.sdk(clock: clock, transport: transport) { $0.isTrackingEnabled = false }
        #expect(!sdk.isTrackingEnabled)
        for number in 0..<30 { sdk.createContext(visitorID: "v\(number)").decide("all") }
        #expect(await sdk.flush().queued == 30)
        for _ in 0..<10 { clock.advance(by: .seconds(60)) }
        #expect(transport.requests.isEmpty && sdk.deliveryCounts.queued == 30)
        sdk.setTrackingEnabled(true)
        #expect(await eventually { sdk.deliveryCounts.delivered == 30 })
        #expect(transport.events.map(\.visitor) == (0..<30).map { "v\($0)" })
        sdk.setTrackingEnabled(false)
        sdk.createContext(visitorID: "later").decide("all")
        let report = await sdk.shutdown(deadline: .seconds(1000))
        #expect(report.events.delivered == 30 && report.events.queued == 1, "nothing can be sent, so it ends at once")
    }

    @Test func explainingDecidesAlikeAndLeavesNoTrace() throws {
        let sdk = try Fixture.sdk()
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(context.explain("pros")?.variation == "pros-a")
        #expect(context.explain("nope")?.reason == .unknownExperience)
        #expect(context.visitorData.isEmpty)
        #expect(sdk.deliveryCounts.accepted == 0)
    }

    @Test func contextsOfOneVisitorKnowWhatWasStored() throws {
        let sdk = try Fixture.sdk()
        sdk.createContext(visitorID: "v1").decide("all", options: .with { $0.forcedVariationID = "901" })
        let later = sdk.createContext(visitorID: "v1").decide("all").variation
        #expect(later?.variationID == "901" && later?.source == .stored)
        #expect(sdk.createContext(visitorID: "V1").visitorData.isEmpty)
    }

    /// Ten thousand with CONVERT_CASES=2.
    @Test func thousandsOfContextsDecideAtOnce() async throws {
        let contexts = inputSize(10_000, plain: 2_000)
        let sdk = try Fixture.sdk { $0.queueCapacity = 100_000 }
        let counts = await withTaskGroup(of: Int.self) { group in
            for index in 0..<contexts {
                group.addTask {
                    let context = sdk.createContext(visitorID: "v\(index)", attributes: ["plan": "pro"])
                    return context.decideAll().compactMap(\.variation).count
                        + (context.trackConversion("purchase") == .triggered ? 1 : 0)
                }
            }
            return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(counts == [4: contexts])
        #expect(sdk.deliveryCounts.accepted == 4 * contexts)
    }
}
