import ConvertLedgers
import ConvertMonitoring
import ConvertTesting
import Foundation
import Testing

struct TrackedEventTests {
    let sdk = ConvertSDK(testing: Shop.project)

    @Test(arguments: ["v0", "v6"]) func reportedEventsAreRecordedByKeys(arm: String) {
        sdk.force("checkout", arm)
        let shop = Shop(convert: sdk)
        _ = shop.page("v1")
        #expect(shop.order("v1", amount: 49.9) == .triggered)
        #expect(shop.order("v1", amount: 10) == .alreadyTriggered)
        _ = shop.order("v2", amount: 1)
        #expect(
            sdk.trackedEvents == [
                .exposure("checkout", arm, visitorID: "v1"),
                .conversion("purchase", ["amount": 49.9, "transactionId": "t-v1"], visitorID: "v1"),
                .exposure("checkout", arm, visitorID: "v2"),
                .conversion("purchase", ["amount": 1, "transactionId": "t-v2"], visitorID: "v2"),
            ])
        #expect(sdk.trackedEvents(of: "v2").count == 2)
        #expect(sdk.trackedEvents.first?.description == "v1: checkout = \(arm)")
        #expect(sdk.trackedEvents.last?.description == #"v2: purchase {"amount":1,"transactionId":"t-v2"}"#)
        sdk.forgetTrackedEvents()
        #expect(sdk.trackedEvents.isEmpty)
    }

    @Test func aDecisionThatIsNotReportedIsNotRecorded() {
        var options = DecisionOptions()
        options.isTrackingEnabled = false
        sdk.createContext(visitorID: "v1").decide("navigation", options: options)
        let preview = sdk.createContext(visitorID: "v2")
        preview.setPreview(experienceID: "navigation", variationID: "menu")
        preview.trackConversion("purchase")
        #expect(sdk.trackedEvents.isEmpty)
    }

    @Test func aConversionsValuesMayBeReportedAgain() {
        let context = sdk.createContext(visitorID: "v1")
        context.trackConversion("purchase")
        context.trackConversion("purchase", revenue: 5, forcesMultipleTransactions: true)
        #expect(
            sdk.trackedEvents == [
                .conversion("purchase", visitorID: "v1"), .conversion("purchase", ["amount": 5], visitorID: "v1"),
            ])
    }

    @Test func nothingIsSentStoredOrCounted() async throws {
        let ledger = MemoryLedger()
        var configuration = SDKConfiguration()
        configuration.ledger = ledger
        configuration.trackEndpoint = "http://127.0.0.1:9/"
        let sdk = ConvertSDK(testing: Shop.project, configuration: configuration)
        #expect(sdk.isReady && sdk.mode == .offline)
        try await sdk.ready()
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await sdk.flush() == DeliveryCounts())
        #expect(await sdk.shutdown().isComplete)
        #expect(try await ledger.visitor("test-account-test-project-v1") == nil)
    }

    @Test func anSDKThatIsNotForTestingRecordsNothing() {
        let sdk = ConvertSDK(config: Shop.project.config, mode: .offline)
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(sdk.trackedEvents.isEmpty)
    }
}
