import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTestServer
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct EventTests {
    @Test func aLateListenerReceivesReady() throws {
        let sdk = try Fixture.sdk()
        let listener = RecordingListener()
        sdk.onEvent { listener.take($0) }
        #expect(listener.events == [.ready])
    }

    @Test func decisionsAreReportedEachTimeStoredOnesToo() throws {
        let sdk = try Fixture.sdk()
        let listener = RecordingListener()
        let subscription = sdk.onEvent { listener.take($0) }
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        for _ in 0..<3 { context.decide("pros") }
        context.decide("pros", options: .with { $0.suppressesEvents = true })
        context.decide("nope")
        let bucketing = SDKEvent.bucketing(visitorID: "v1", experienceKey: "pros", variationKey: "pros-a")
        #expect(listener.events == [.ready, bucketing, bucketing, bucketing])
        subscription.cancel()
        context.decide("pros")
        #expect(listener.events.count == 4)
    }

    @Test func featuresConversionsLocationsAndSegmentsAreReported() throws {
        let sdk = try Fixture.sdk()
        let listener = RecordingListener()
        sdk.onEvent { listener.take($0) }
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        let location = SDKEvent.LocationReference(id: "3", key: "home", name: "Home")
        _ = context.feature("flow", experienceKeys: ["carrier"])
        context.trackConversion("purchase")
        context.trackConversion("purchase")
        context.decide("home", options: .with { $0.locationProperties = ["page": "home"] })
        context.decide("home", options: .with { $0.locationProperties = ["page": "cart"] })
        context.setDefaultSegments(["country": "US"])
        #expect(
            listener.events == [
                .ready,
                .feature(visitorID: "v1", featureKey: "flow", status: .enabled, experienceKey: "carrier"),
                .conversion(visitorID: "v1", goalKey: "purchase"),
                .locationActivated(visitorID: "v1", location: location),
                .bucketing(visitorID: "v1", experienceKey: "home", variationKey: "home-a"),
                .locationDeactivated(visitorID: "v1", location: location),
                .segments(visitorID: "v1", ["country": "US"]),
            ])
    }

    /// Two experiences of which the second makes JavaScript throw once its location matched.
    private static let throwing = Data(
        """
        {"account_id": "10", "project": {"id": "20"},
        "audiences": [{"id": "1", "key": "pro", "rules": \(Fixture.rules("plan", "pro"))}],
        "locations": [{"id": "3", "key": "home", "rules": \(Fixture.rules("page", "home"))}],
        "features": [{"id": "6", "key": "flow"}],
        "experiences": [{"id": "90", "key": "first", "variations": [{"id": "900", "key": "first-a", "changes":
        [{"type": "fullStackFeature", "data": {"feature_id": "6"}}]}]},
        {"id": "91", "key": "second", "locations": ["3"], "audiences": ["1"], "variations": [{"id": "910"}]}]}
        """.utf8)

    /// Calls that decide both experiences.
    private static let calls: [@Sendable (ConvertContext, DecisionOptions) -> Bool] = [
        { $0.selectVariations(options: $1).isEmpty },
        { $0.decideAll(options: $1).last?.reason == .missingSettings },
        { $0.allFeatures("flow", options: $1).reason == .missingSettings },
        { $0.decideFeatures(options: $1).reason == .missingSettings },
    ]

    @Test(arguments: calls.indices, [true, false])
    func aCallOnWhichJavaScriptThrowsKeepsOnlyEarlierEffects(call: Int, hasSettings: Bool) throws {
        var json = String(decoding: Self.throwing, as: UTF8.self)
        if hasSettings {
            let key = #""key": "second","#
            json = json.replacing(key, with: key + #""settings": {"matching_options": {}},"#)
        }
        let sdk = try Fixture.sdk(source: .fixed(ProjectConfig(json: Data(json.utf8)))) { $0.semantics = .javaScript }
        let listener = RecordingListener()
        sdk.onEvent { listener.take($0) }
        let context = sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        let isThrown = Self.calls[call](context, .with { $0.locationProperties = ["page": "home"] })
        #expect(isThrown != hasSettings)
        let answers = listener.events.filter {
            switch $0 {
            case .bucketing, .feature: true
            default: false
            }
        }
        #expect(answers.isEmpty != hasSettings)
        let location = SDKEvent.LocationReference(id: "3", key: "home", name: nil)
        #expect(listener.events.contains(.locationActivated(visitorID: "v1", location: location)))
        #expect(context.visitorData.bucketing?["90"] == "900" && context.visitorData.locations == ["home"])
        #expect(sdk.deliveryCounts.accepted == (hasSettings ? 2 : 1))
    }

    @Test(.timeLimit(.minutes(10))) func aHandlerMayBeTheLastToHoldWhatCallsTheSDKAsItEnds() throws {
        /// Ends a subscription as it ends, as an app's object may.
        final class Owner: Sendable {
            let subscription: ConvertSDK.Subscription
            init(_ subscription: ConvertSDK.Subscription) { self.subscription = subscription }
            deinit { subscription.cancel() }
        }
        var sdk: ConvertSDK? = try Fixture.sdk()
        let listener = RecordingListener()
        var owner = sdk.map { Owner($0.onEvent { listener.take($0) }) }
        weak let (released, ended) = (sdk, owner)
        let subscription = sdk?.onEvent { [sdk, owner] _ in withExtendedLifetime((sdk, owner)) {} }
        (sdk, owner) = (nil, nil)
        #expect(released != nil && ended != nil)
        subscription?.cancel()
        #expect(released == nil && ended == nil)
    }

    @Test func aReleasedQueueIsReported() async throws {
        let sdk = try Fixture.sdk()
        let listener = RecordingListener()
        sdk.onEvent { listener.take($0) }
        for visitor in ["v1", "v2", "v1"] { sdk.createContext(visitorID: visitor).trackConversion("purchase") }
        await sdk.flush()
        let release = SDKEvent.QueueRelease(
            reason: "flush", status: 200, isDelivered: true, eventCount: 2, visitorIDs: ["v1", "v2"])
        #expect(listener.events.last == .queueReleased(release))
    }

    @Test func aStreamEndsWithTheShutdownAndDropsItsOldest() async throws {
        let sdk = try Fixture.sdk()
        let stream = sdk.events(bufferingNewest: 3)
        let context = sdk.createContext(visitorID: "v1")
        for index in 0..<10 { context.setDefaultSegments(["country": .integer(index)]) }
        await sdk.shutdown(deadline: .seconds(1))
        var events: [SDKEvent] = []
        for await event in stream { events.append(event) }
        #expect(events == (7..<10).map { .segments(visitorID: "v1", ["country": .integer($0)]) })
        for await _ in sdk.events() { Issue.record("a stream after the shutdown ends at once") }
    }
}
