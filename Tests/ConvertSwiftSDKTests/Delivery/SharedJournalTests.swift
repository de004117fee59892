import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// A journal in memory that machines share, as one of them sees it.
private final class SharedListJournal: SharedEventJournal {
    let inner = ListJournal()
    /// What others have left.
    private let orphans: Mutex<[JournaledEvent]>
    private let goals = Mutex<Set<String>>([])
    let takeoverInterval = Duration.seconds(5)

    init(orphans: [JournaledEvent] = []) { self.orphans = Mutex(orphans) }

    var orphanCount: Int { orphans.withLock { $0.count } }

    func count(_ goal: String) { goals.withLock { _ = $0.insert(goal) } }

    func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

    func append(_ calls: [JournalCall]) throws -> [[Int64]?] {
        try calls.map { call in
            let isFree = goals.withLock { goals in call.goals.allSatisfy { goals.insert(call.visitor + $0).inserted } }
            return isFree || call.isReported ? try inner.append(call.rows) : nil
        }
    }

    func takeOver(_ limit: Int) async throws -> [JournaledEvent] {
        orphans.withLock { orphans in
            defer { orphans.removeFirst(min(limit, orphans.count)) }
            return Array(orphans.prefix(limit))
        }
    }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        try await inner.events(after: id, limit: limit)
    }

    func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
}

struct SharedJournalTests {
    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "91", "key": "split", "variations": [{"id": "910", "key": "a"}]}]}
        """.utf8)

    private func sdk(
        _ journal: SharedListJournal, _ transport: ScriptedTransport,
        store: any VisitorStore = InMemoryVisitorStore(), clock: StepClock
    ) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.journal = journal
        configuration.visitorStore = store
        configuration.storeQueueCapacity = 100
        return ConvertSDK(
            source: .fixed(try ProjectConfig(json: Self.config)), secret: nil, configuration: configuration,
            transport: transport, surroundings: Surroundings(time: clock))
    }

    @Test func aGoalThatWasCountedElsewhereIsNotReported() async throws {
        let (journal, clock) = (SharedListJournal(), StepClock())
        let transport = ScriptedTransport(status: 200)
        let sdk = try sdk(journal, transport, clock: clock)
        journal.count("10-20-vpurchase")
        journal.count("10-20-v4")
        let visitors = ["v", "w"]
        for visitor in visitors {
            let context = await sdk.loadContext(visitorID: visitor)
            #expect(context.trackConversion("purchase") == .triggered)
            #expect(context.trackConversion("purchase") == .alreadyTriggered)
        }
        await sdk.flush()
        #expect(transport.events.map(\.visitor) == ["w"])
        #expect(sdk.deliveryCounts.rejected == [.countedElsewhere: 1])
        let counts = sdk.deliveryCounts
        #expect(counts.accepted == 2 && counts.delivered == 1 && counts.queued == 0)
        await sdk.shutdown()
    }

    @Test func whatOthersLeftIsDeliveredAndForgotten() async throws {
        let rows = [
            #"{"account":"10","project":"20","visitor":"v","event":{"eventType":"conversion","data":{"goalId":"4"}}}"#,
            #"{"claim":{"visitor":"10-20-v","goals":["purchase"]}}"#, "nonsense",
        ]
        let orphans = rows.enumerated().map { JournaledEvent(id: Int64(5000 + $0), record: Data($1.utf8)) }
        let (journal, clock) = (SharedListJournal(orphans: orphans), StepClock())
        let transport = ScriptedTransport(status: 200)
        let sdk = try sdk(journal, transport, clock: clock)
        let own = await sdk.loadContext(visitorID: "own")
        own.selectVariation("split")
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return transport.events.count == 2
            })
        #expect(Set(transport.events.map(\.visitor)) == ["own", "v"])
        #expect(sdk.deliveryCounts.rejected == [.unreadable: 1])
        #expect(sdk.deliveryCounts.restored == 2)
        let context = await sdk.loadContext(visitorID: "v")
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return context.visitorGoals.contains("purchase")
            })
        await sdk.shutdown()
        let counts = sdk.deliveryCounts
        let (entered, left) = (counts.accepted + counts.restored, counts.delivered + counts.rejectedTotal)
        #expect(entered == left + counts.queued)
    }

    /// A process may leave many while the visitor store is out of order, and nobody can settle them then.
    @Test func noMoreClaimsAreTakenOverThanThereIsRoomFor() async throws {
        let orphans = (0..<8000).map { number in
            let claim = #"{"claim":{"visitor":"10-20-v\#(number)","goals":["4"]}}"#
            return JournaledEvent(id: Int64(5000 + number), record: Data(claim.utf8))
        }
        let (journal, clock) = (SharedListJournal(orphans: orphans), StepClock())
        let store = GatedStore()
        store.isFailing = true
        let sdk = try sdk(journal, ScriptedTransport(status: 200), store: store, clock: clock)
        for _ in 0..<200 {
            clock.advance(by: .seconds(5))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(journal.orphanCount < 8000)
        #expect(journal.orphanCount > 4000)
        store.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .seconds(5))
                return journal.orphanCount == 0
            })
        await sdk.shutdown(deadline: .zero)
    }
}

extension ConvertContext {
    /// The goals that the visitor triggered, as the SDK knows them now.
    fileprivate var visitorGoals: [String] {
        engine.records.goals(PropertyKey("10-20-" + visitorID)).members.map(\.key.name)
    }
}
