import ConvertLedgers
import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import Testing

/// The snippets of the articles What is kept, where, and for how long, and ConvertSQLiteStores.
struct StorageTests {
    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "order-placed"}],
        "experiences": [{"id": "90", "key": "checkout", "variations": [{"id": "900", "key": "one-page"}]}]}
        """.utf8)

    @Test func persistedDataRemainsUntilTheVisitorIsForgotten() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = SDKConfiguration()
        configuration.ledger = try SQLiteLedger(file: folder.appending(path: "convert.sqlite"))
        // Nothing is sent.
        configuration.isTrackingEnabled = false
        let convert = try ConvertSDK(configData: Self.config, configuration: configuration)

        let visitorID = "visitor-1"
        let visitor = await convert.loadContext(visitorID: visitorID)
        visitor.trackConversion("order-placed", revenue: 49.9, transactionID: "t-1")
        try await visitor.persisted(within: .seconds(60))  // from here on the order survives `kill -9`

        let isTracked = try await convert.loadContext(visitorID: visitorID)
            .trackConversion("order-placed", persistedWithin: .seconds(60))
        #expect(isTracked == .alreadyTriggered)
        visitor.trackConversion(
            "order-placed", revenue: 20, transactionID: "t-2", forcesMultipleTransactions: true)
        try await visitor.persisted()
        #expect(convert.deliveryCounts.queued == 3)
        try await convert.forget(visitorID: visitorID)
        #expect(await convert.loadContext(visitorID: visitorID).trackConversion("order-placed") == .triggered)

        let report = await convert.shutdown(deadline: .seconds(5))
        if !report.isComplete { print("shut down: \(report)") }
        #expect(report.areEventsStored && report.unstoredEntries == 0)
        let ledger = try await openLedger(at: folder.appending(path: "convert.sqlite"))
        #expect(try await ledger.visitor("10-20-visitor-1") != nil)
        await ledger.close()
    }

    @Test(arguments: [false, true]) func withoutConsentNothingIsReported(hasConsent: Bool) {
        let sdk = ConvertSDK(
            testing: TestProject {
                Experience("checkout") { Variation("control", weight: 100) }
                Goal("order-placed")
            })
        let visitor = sdk.createContext(visitorID: "visitor-1")
        let page = visitor.variationKey("checkout", default: "control", exposure: hasConsent)
        if hasConsent { visitor.trackConversion("order-placed") }
        #expect(page == "control" && sdk.trackedEvents.isEmpty == !hasConsent)
    }

    @Test func aDecisionThatIsStoredWithoutTrackingIsNotReportedLater() {
        let sdk = ConvertSDK(testing: TestProject { Experience("checkout") { Variation("control") } })
        let visitor = sdk.createContext(visitorID: "visitor-1")
        visitor.decide("checkout", options: DecisionOptions(isTrackingEnabled: false))
        #expect(visitor.decide("checkout").variation?.source == .stored && sdk.trackedEvents.isEmpty)
    }

    /// The variations that 300 visitors of `first-config.json` see before and after they agree.
    private func searches(
        _ search: (ConvertContext, _ hasConsent: Bool) -> String
    ) throws -> [(before: String, after: String)] {
        let config = try Data(contentsOf: URL(fileURLWithPath: "TestVectors/configs/first-config.json"))
        let convert = try ConvertSDK(configData: config, mode: .offline)
        return (1...300).map { number in
            let visitor = convert.createContext(visitorID: "visitor-\(number)", attributes: ["plan": "pro"])
            let before = search(visitor, false)
            if visitor.visitorData.bucketing != nil { Issue.record("stored without consent") }
            return (before, search(visitor, true))
        }
    }

    @Test func aHoldoutThatTheAppAsksForFirstHoldsBeforeAndAfterConsent() throws {
        let seen = try searches { visitor, hasConsent in
            let isHeldOut = visitor.decide("holdout", exposure: hasConsent).variation != nil
            let search =
                isHeldOut ? "old" : visitor.variationKey("new-search", default: "old", exposure: hasConsent)
            return isHeldOut ? "held out" : search
        }
        #expect(seen.allSatisfy { $0.before == $0.after })
        #expect(Set(seen.map(\.after)) == ["held out", "old", "new"])
    }

    @Test func withoutConsentTheConfigsHoldoutKeepsNoVisitorOut() throws {
        let seen = try searches { visitor, hasConsent in
            visitor.decide("holdout", exposure: hasConsent)
            return visitor.decide("new-search", exposure: hasConsent).variation?.variationKey ?? "none"
        }
        #expect(seen.contains { $0.before != "none" && $0.after == "none" })
        let inOneCall = try searches { visitor, hasConsent in
            let options = DecisionOptions(isTrackingEnabled: hasConsent, isStorageEnabled: hasConsent)
            return visitor.decideAll(options: options)[1].variation?.variationKey ?? "none"
        }
        #expect(inOneCall.contains { $0.before != "none" && $0.after == "none" })
    }

    @Test func experiencesThatShareNoVisitorAreAskedForInOrder() throws {
        let project = TestProject {
            Experience("first-test") {
                Variation("a", weight: 25); Variation("b", weight: 25)
            }
            Experience("second-test") {
                Variation("a", weight: 50); Variation("b", weight: 50)
            }
        }
        let convert = ConvertSDK(testing: project)
        var both = 0
        for number in 1...300 {
            let visitor = convert.createContext(visitorID: "visitor-\(number)")
            let answers = [false, true].map { hasConsent in
                let first = visitor.decide("first-test", exposure: hasConsent).variation
                let second = first == nil ? visitor.decide("second-test", exposure: hasConsent).variation : nil
                return [first?.variationKey, second?.variationKey]
            }
            #expect(answers[0] == answers[1])
            if visitor.visitorData.bucketing?.count == 2 { both += 1 }
        }
        #expect(both == 0)
    }

    @Test func flagsWithoutExposureStoreNothing() throws {
        let config = try Data(contentsOf: URL(fileURLWithPath: "TestVectors/configs/first-config.json"))
        let convert = try ConvertSDK(configData: config, mode: .offline)
        let visitor = convert.createContext(visitorID: "visitor-4", attributes: ["plan": "pro"])
        let unseen = DecisionOptions(isTrackingEnabled: false, isStorageEnabled: false)
        let hasSearchPage = visitor.bool("search-page", default: false, options: unseen)
        #expect(visitor.visitorData.bucketing == nil)
        #expect(hasSearchPage == visitor.bool("search-page", default: false))
        #expect(visitor.visitorData.bucketing?.isEmpty == false)
    }

    @Test(arguments: LedgerContract.inMemory)
    func theShopsLedgerKeepsItsPromises(clause: LedgerContract) async throws {
        try await clause.check { ShopLedger() }
    }

    @Test(arguments: LedgerContract.allCases)
    func aDurableLedgerKeepsItsPromises(clause: LedgerContract) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        try await clause.check { try SQLiteLedger(file: file) }
    }

    @Test func filesOfVersion010MayBeMissing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = SDKConfiguration()
        let earlier = EarlierFiles(
            visitors: folder.appending(path: "visitors.sqlite"), events: folder.appending(path: "events.sqlite"))
        configuration.ledger = try SQLiteLedger(file: folder.appending(path: "convert.sqlite"), importing: earlier)
        #expect(configuration.ledger is SQLiteLedger)
    }

    @Test func aStoreOfTheAppsOwnKeepsVisitors() async throws {
        var configuration = SDKConfiguration()
        configuration.isTrackingEnabled = false
        configuration.ledger = VisitorStoreLedger(ShopStore())
        let convert = try ConvertSDK(configData: Self.config, configuration: configuration)
        let visitor = await convert.loadContext(visitorID: "visitor-1")
        visitor.decide("checkout")
        try await visitor.persisted(within: .seconds(60))
        #expect(visitor.decide("checkout").variation?.source == .stored)
        await convert.shutdown(deadline: .seconds(1))
    }
}

func openLedger(at file: URL) async throws -> SQLiteLedger {
    while true {
        do {
            return try SQLiteLedger(file: file)
        } catch let error as StorageError where error.code == .inUse {
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

actor ShopStore: VisitorStore {
    private var records: [String: VisitorState] = [:]

    func load(_ key: String) -> VisitorState? { records[key] }

    func save(_ changes: VisitorState, for key: String) {
        records[key] = records[key, default: VisitorState()].merging(changes)
    }

    func forget(_ key: String) { records[key] = nil }
}
