import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertLedgers
import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Contexts of one visitor that are made before any of them decides.
struct SharedVisitorTests {
    @Test(arguments: [false, true])
    func theyReportADecisionOnce(hasLedger: Bool) async throws {
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport) {
            if hasLedger { $0.ledger = MemoryLedger() }
        }
        let contexts = (0..<20).map { _ in sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"]) }
        await withTaskGroup(of: Void.self) { group in
            for (index, context) in contexts.enumerated() {
                group.addTask {
                    switch index % 4 {
                    case 0: context.decide("pros")
                    case 1: _ = context.decideAll()
                    case 2: _ = context.decideAll()
                    default: _ = context.features()
                    }
                }
            }
        }
        for context in contexts { #expect(context.decide("pros").variation?.variationKey == "pros-a") }
        await sdk.flush()
        let reported = transport.events.map { $0.event.objectValue?["data"]?.objectValue?["experienceId"] }
        #expect(reported.count == Set(reported.map { "\($0 ?? .null)" }).count)
        #expect(reported.count { $0 == "91" } == 1)
    }

    @Test func whileTheVisitorIsBeingLoadedTheyReportADecisionOnceToo() async throws {
        let ledger = ScriptedLedger()
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        let decided = first.decide("all").variation?.variationID
        #expect(second.decide("all").variation?.variationID == decided)
        #expect(sdk.deliveryCounts.accepted == 1)
        loads.open()
        await sdk.flush()
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation?.source == .stored)
        #expect(sdk.deliveryCounts.accepted == 1)
        #expect(try await ledger.disk.record("v1")?.bucketing?["90"] == decided.map { .string($0) })
    }

    @Test func aDecisionThatIsNotReportedCountsForAllToo() throws {
        let sdk = try Fixture.sdk()
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        let id = second.explain("all")?.variation == "all-a" ? "901" : "900"
        let untracked = DecisionOptions.with {
            $0.forcedVariationID = id
            $0.isTrackingEnabled = false
        }
        #expect(first.decide("all", options: untracked).variation?.variationID == id)
        #expect(second.decide("all").variation?.variationID == id)
        #expect(second.decide("all").variation?.source == .stored)
        #expect(sdk.deliveryCounts.accepted == 0)
    }

    /// The properties that a call stores are not yet the visitor's when its events are made, decided once or again.
    @Test func aLaterDecisionReportsTheEarlierSegments() async throws {
        let transport = ScriptedTransport(status: 200)
        let sdk = try Fixture.sdk(transport: transport)
        let (first, second) = (
            sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1", attributes: ["plan": "pro"])
        )
        first.decide("all", options: .with { $0.forcedVariationID = "900" })
        let forced = DecisionOptions.with {
            $0.forcedVariationID = "901"
            $0.updatesVisitorProperties = true
        }
        #expect(second.decide("all", options: forced).variation?.variationID == "901")
        #expect(second.visitorData.segments == ["plan": "pro"])
        await sdk.flush()
        #expect(transport.events.count == 2)
        let visitors = transport.bodies.flatMap { $0["visitors"]?.arrayValue ?? [] }
        #expect(!visitors.isEmpty && visitors.allSatisfy { $0.objectValue?["segments"] == nil })
    }

    @Test func theDecisionThatCameFirstCountsForAll() throws {
        let sdk = try Fixture.sdk()
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        for id in ["900", "901"] {
            #expect(first.decide("all", options: .with { $0.forcedVariationID = id }).variation?.variationID == id)
        }
        let accepted = sdk.deliveryCounts.accepted
        #expect(second.decide("all").variation?.source == .stored)
        #expect(second.decide("all").variation?.variationID == "901")
        #expect(sdk.deliveryCounts.accepted == accepted)
        // A forced variation replaces another context's decision, and is reported, as it would be its own.
        let third = sdk.createContext(visitorID: "v1")
        #expect(second.decide("all", options: .with { $0.forcedVariationID = "900" }).variation?.source == .forced)
        #expect(third.decide("all", options: .with { $0.forcedVariationID = "900" }).variation?.variationID == "900")
        #expect(sdk.deliveryCounts.accepted == accepted + 1)
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation?.variationID == "900")
    }

    /// Visitors of `second` are kept out of `first`.
    private func excludingSDK() throws -> ConvertSDK {
        let audience = """
            {"id": "1", "key": "out", "rules": {"OR": [{"AND": [{"OR_WHEN": [{
            "rule_type": "bucketed_into_experience_key",
            "value": "second", "matching": {"match_type": "equals", "negated": true}}]}]}]}}
            """
        let experiences = ["first", "second", "third"].map { key in
            """
            {"id": "id-\(key)", "key": "\(key)", "audiences": \(key == "first" ? #"["1"]"# : "[]"),
            "settings": {"matching_options": {"audiences": "any"}},
            "variations": [{"id": "only-\(key)", "key": "only"}]}
            """
        }
        let json = """
            {"account_id": "10", "project": {"id": "20"}, "audiences": [\(audience)],
            "experiences": [\(experiences.joined(separator: ","))]}
            """
        return try Fixture.sdk(source: .fixed(ProjectConfig(json: Data(json.utf8))))
    }

    @Test(arguments: [false, true])
    func severalDecisionsAreMadeInKnowledgeOfWhatTheOthersDecided(tellsReasons: Bool) throws {
        let sdk = try excludingSDK()
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        func decide() -> [String] {
            tellsReasons
                ? second.decideAll().compactMap { $0.variation?.experienceKey }
                : second.decideAll().compactMap(\.variation).map(\.experienceKey)
        }
        first.decide("second")
        // Not in the first one, nor counted there, since the visitor was in the second one before.
        #expect(decide() == ["second", "third"])
        #expect(second.visitorData.bucketing?["id-first"] == nil)
        #expect(sdk.deliveryCounts.accepted == 2)
        #expect(sdk.createContext(visitorID: "v1").visitorData.bucketing == second.visitorData.bucketing)
    }

    @Test func anotherContextsDecisionDoesNotChangeTheOrderOfTheRest() throws {
        let sdk = try excludingSDK()
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        first.decide("third")
        #expect(second.decideAll().compactMap(\.variation).map(\.experienceKey) == ["first", "second", "third"])
        #expect(sdk.deliveryCounts.accepted == 3)
    }

    @Test func aDecisionThatIsNotStoredIsReportedUntilOneIs() throws {
        let sdk = try Fixture.sdk()
        let (first, second) = (sdk.createContext(visitorID: "v1"), sdk.createContext(visitorID: "v1"))
        let passing = DecisionOptions.with { $0.isStorageEnabled = false }
        first.decide("all", options: passing)
        first.decide("all", options: passing)
        #expect(sdk.deliveryCounts.accepted == 2)
        second.decide("all")
        first.decide("all", options: passing)
        #expect(sdk.deliveryCounts.accepted == 3)
    }

    @Test func aGoalThatIsStoredAsNotTriggeredCountsOnce() async throws {
        let ledger = MemoryLedger()
        try await ledger.put(#"{"goals":{"purchase":false}}"#, of: "v1")
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let first = await sdk.loadContext(visitorID: "v1")
        let second = await sdk.loadContext(visitorID: "v1")
        #expect(first.trackConversion("purchase") == .triggered)
        #expect(second.trackConversion("purchase") == .alreadyTriggered)
        #expect(sdk.deliveryCounts.accepted == 1)
    }

    @Test func reportSegmentsAreStoredWithTheFirstCallOrAtTheEnd() async throws {
        let ledger = ScriptedLedger()
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        _ = await sdk.loadContext(visitorID: "v1", attributes: ["country": "US"])
        await sdk.flush()
        #expect(try await ledger.disk.record("v1")?.segments == ["country": "US"])
        let context = await sdk.loadContext(visitorID: "v1", attributes: ["country": "FR"])
        #expect(context.visitorData.segments == ["country": "FR"])
        context.decide("nope")
        await sdk.flush()
        #expect(try await ledger.disk.record("v1")?.segments == ["country": "FR"])
    }
}
