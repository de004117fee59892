import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTransport
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct DescriptionTests {
    @Test func nothingShowsSecretsOrVisitors() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 200, body: Fixture.data) }
        var configuration = SDKConfiguration()
        configuration.debugToken = "hidden-token"
        configuration.logger = RecordingLogger()
        let sdk = ConvertSDK(
            sdkKey: "10/20", secret: "hidden-secret", configuration: configuration, transport: transport)
        try await sdk.ready()
        let context = sdk.createContext(visitorID: "hidden-id", attributes: ["email": "hidden@example.com"])
        context.decideAll()
        var shown = "\(configuration) \(sdk) \(context) \(String(reflecting: [configuration]))"
        shown += "\(String(reflecting: sdk)) \(String(reflecting: context))"
        dump(configuration, to: &shown)
        dump(sdk, to: &shown)
        dump(context, to: &shown)
        #expect(!shown.contains("hidden"))
        #expect(shown.contains("ConvertSDK(ready)"))
    }

    @Test func decisionsAreDescribedByKeysAndReasons() throws {
        let context = try Fixture.sdk().createContext(visitorID: "v1", attributes: ["plan": "pro"])
        let decision = context.decide("pros")
        #expect("\(decision)" == "Decision(experience: pros, variation: pros-a, bucketed)")
        #expect("\(context.decide("nope"))" == "Decision(no variation: unknownExperience)")
        let feature = context.allFeatures("flow", experienceKeys: ["carrier"])
        #expect("\(feature)" == "FeatureDecision([BucketedFeature(flow, enabled, experience: carrier)])")
        #expect("\(FeatureDecision(reason: .sdkNotReady))" == "FeatureDecision(nothing decided: sdkNotReady)")
        var shown = ""
        dump(decision, to: &shown)
        dump(feature, to: &shown)
        #expect(!shown.contains("effects") && !shown.contains("Project"))
    }

    @Test func aReportThatLeavesNothingSaysSo() {
        var events = DeliveryCounts()
        events.accepted = 3
        events.delivered = 3
        let report = ShutdownReport(events: events, unstoredEntries: 0, areEventsStored: false)
        #expect(
            "\(report)"
                == "nothing is left; events: 3 accepted, 0 restored, 3 delivered, 0 queued, 0 rejected")
    }

    @Test func aReportNamesWhatIsLeft() {
        var events = DeliveryCounts()
        events.accepted = 7
        events.queued = 4
        events.reject(2, .overflow)
        events.reject(1, .refused(status: 400))
        let report = ShutdownReport(events: events, unstoredEntries: 5, areEventsStored: true)
        let counts = "7 accepted, 0 restored, 0 delivered, 4 queued, 3 rejected (1 refused(status: 400), 2 overflow)"
        #expect(
            "\(report)"
                == "3 events given up; 4 events not delivered, the ledger has them; 5 entries not stored; "
                + "events: \(counts)")
    }

    @Test func aReportIsCompleteThoughOthersDealWithEventsOrTheirVisitorsWereForgotten() {
        var events = DeliveryCounts()
        events.accepted = 3
        for reason in [RejectionReason.countedElsewhere, .takenOver, .forgotten] { events.reject(1, reason) }
        let report = ShutdownReport(events: events, unstoredEntries: 0, areEventsStored: true)
        #expect(report.isComplete && "\(report)".hasPrefix("nothing is left; "))
    }
}
