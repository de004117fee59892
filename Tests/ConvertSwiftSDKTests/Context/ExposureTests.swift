import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

/// What a decision stores and reports, with and without exposure, forced and not.
struct ExposureTests {
    let transport = ScriptedTransport(status: 200)
    let told = RecordingListener()
    let sdk: ConvertSDK
    let context: ConvertContext

    init() throws {
        sdk = try Fixture.sdk(transport: transport)
        sdk.onEvent { [told] in told.take($0) }
        context = sdk.createContext(visitorID: "v1")
    }

    private func sentVariations() async -> [JSValue?] {
        await sdk.flush()
        return transport.events.map { $0.event.objectValue?["data"]?.objectValue?["variationId"] }
    }

    @Test func withoutExposureADecisionLeavesNoTraceAndALaterOneCounts() async {
        let first = context.decide("all", exposure: false).variation?.variationKey
        #expect(context.visitorData == VisitorState())
        #expect(await sentVariations() == [] && told.events == [.ready])
        #expect(context.decide("all", exposure: true).variation?.variationKey == first)
        #expect(context.visitorData.bucketing?.count == 1)
        #expect(await sentVariations().count == 1)
    }

    @Test func readingAFeatureStoresAndReportsTheExperienceThatCarriesIt() async {
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        #expect(context.feature("flow", experienceKeys: ["carrier"]).status == .enabled)
        let stored = sdk.createContext(visitorID: "v1").visitorData.bucketing
        #expect(stored?.count == 1)
        #expect(await sentVariations() == stored?.map(\.value))
        _ = context.feature("flow", experienceKeys: ["carrier"])
        #expect(await sentVariations().count == 1)
    }

    @Test(arguments: [("all-a", "900"), ("all-b", "901"), ("900", "900")])
    func aForcedVariationIsDecidedStoredAndReported(name: String, id: String) async {
        let decision = context.decide("all", exposure: true, forced: name)
        #expect(decision.variation?.variationID == id && decision.variation?.source == .forced)
        #expect(context.visitorData.bucketing == ["90": .string(id)])
        #expect(await sentVariations() == [.string(id)])
    }

    @Test func aForcedVariationReplacesTheStoredOneAndIsReportedAgain() async {
        context.decide("all", exposure: true, forced: "all-a")
        #expect(context.decide("all", exposure: true, forced: "all-b").variation?.source == .forced)
        #expect(context.visitorData.bucketing == ["90": "901"])
        #expect(context.decide("all", exposure: true, forced: "all-b").variation?.source == .stored)
        #expect(context.decide("all").variation?.variationKey == "all-b", "it stays, without being forced")
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation?.variationKey == "all-b")
        #expect(await sentVariations() == ["900", "901"])
    }

    @Test func withoutExposureAForcedVariationLeavesTheStoredOne() async {
        context.decide("all", exposure: true, forced: "all-a")
        #expect(context.decide("all", exposure: false, forced: "all-b").variation?.variationKey == "all-b")
        #expect(context.visitorData.bucketing == ["90": "900"])
        #expect(context.decide("all").variation?.variationKey == "all-a")
        #expect(await sentVariations() == ["900"])
    }

    @Test func theRulesComeBeforeWhatIsForced() {
        #expect(context.decide("pros", exposure: true, forced: "pros-a").reason == .audienceNotMatched)
    }

    @Test func anUnknownForcedVariationIsIgnoredWithAWarning() throws {
        let logger = RecordingLogger()
        let context = try Fixture.sdk { $0.logger = logger }.createContext(visitorID: "v1")
        #expect(context.decide("all", exposure: true, forced: "all-c").variation?.source == .bucketed)
        #expect(
            logger.warnings == ["experience 'all' has no variation 'all-c' to force; did you mean 'all-a'?"])
    }

    @Test func theShortFormAnswersTheKeyOrTheFallback() {
        #expect(context.variationKey("pros", default: "control") == "control")
        #expect(context.variationKey("all", default: "control", exposure: false).hasPrefix("all-"))
        #expect(context.visitorData == VisitorState())
        #expect(context.variationKey("all", default: "control").hasPrefix("all-"))
        #expect(context.visitorData.bucketing?.count == 1)
    }

    @Test func optionsAreMadeInOneExpression() {
        let options = DecisionOptions(
            environment: "production", visitorProperties: ["plan": "pro"], isTrackingEnabled: false)
        #expect(context.decide("live", options: options).variation?.variationKey == "live-a")
        #expect(context.decide("pros", options: options).variation?.variationKey == "pros-a")
        let conversion = ConversionOptions(ruleData: ["size": "big"], goalData: [["key": "amount", "value": 1]])
        #expect(context.trackConversion("big", options: conversion) == .triggered)
    }
}
