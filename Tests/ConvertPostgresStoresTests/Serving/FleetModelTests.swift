#if Postgres
import ConvertConcurrency
import ConvertECMAScript
import ConvertMobileRules
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Two servers on one database whose connections end and whose answers are lost, against what was answered.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct FleetModelTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test(arguments: 0..<caseCount(3)) func whatWasAnsweredHolds(seed: Int) async throws {
        try await schema.database().prepare()
        // With little patience calls are given up while they are being worked on.
        let patience: Duration = seed % 2 == 0 ? .seconds(300) : .milliseconds(30)
        let servers = try (0..<2).map { _ in try ModelServer(schema, patience: patience) }
        let disturber = Disturber(schema: schema, servers: servers, seed: seed)
        let disturbance = Task { try await disturber.run() }
        let answers = ModelAnswers()
        try await withThrowingTaskGroup { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: seed * 100 + worker)
                    for step in 0..<40 {
                        let server = servers[worker % 2]
                        // A server takes over in one place only.
                        let kind = random.int(0...(worker < 2 ? 9 : 8))
                        try await server.act(kind, "\(worker)-\(step)", &random, answers)
                    }
                }
            }
            try await group.waitForAll()
        }
        disturber.isOver.store(true, ordering: .relaxed)
        try await disturbance.value
        try await checkVisitors(answers)
        checkHistory(answers)
        try await checkJournals(servers, answers, mayRepeat: disturber.endsLeases)
    }

    private func checkVisitors(_ answers: ModelAnswers) async throws {
        let store = PostgresVisitorStore(try schema.database())
        let (saved, decisions) = answers.state.withLock { ($0.saved, $0.decisions) }
        for (key, goals) in saved {
            let record = try await store.load(key)
            #expect(Set(record?.goals?.members.map(\.key.name) ?? []) == goals)
            for (experience, answers) in decisions[key] ?? [:] {
                #expect(answers == [record?.bucketing?[PropertyKey(experience)]?.stringValue], "the first one, for all")
            }
        }
    }

    private func checkHistory(_ answers: ModelAnswers) {
        let (news, asked, unsure) = answers.state.withLock { ($0.news, $0.asked, $0.unsureEvents) }
        for event in asked {
            let count = news[event] ?? 0
            #expect(unsure.contains(event) ? count <= 1 : count == 1, "event \(event)")
        }
    }

    private func checkJournals(_ servers: [ModelServer], _ answers: ModelAnswers, mayRepeat: Bool) async throws {
        let (appended, counted, unsure) = answers.state.withLock { ($0.appended, $0.counted, $0.unsureGoals) }
        for (goal, count) in counted where !unsure.contains(goal) { #expect(count == 1, "\(goal)") }
        // What is to be taken back goes with a renewal at the latest. A row that another server took over before stays.
        #expect(
            await eventually {
                for server in servers { try? await server.journal.renew() }
                let rows = (try? schema.connection().run(Command("SELECT record FROM events"))) ?? Rows(nil)
                let names = (0..<rows.count).map { rows.text($0, 0) }
                return (mayRepeat ? Set(names).sorted() : names.sorted()) == appended.sorted()
            })
        // An answer may still be lost.
        for server in servers { #expect(await eventually { (try? await server.takeOver(100))?.isEmpty ?? false }) }
        let taken = Set(servers.flatMap { server in server.taken.withLock { $0 } })
        let rows = try schema.connection().run(Command("SELECT id FROM events WHERE is_taken"))
        for row in 0..<rows.count { #expect(taken.contains(rows.integer(row, 0)), "somebody has it to deliver") }
    }
}

/// What servers were answered.
private final class ModelAnswers: Sendable {
    struct State {
        var saved: [String: Set<String>] = [:]
        /// By visitor and experience, what was said to be stored.
        var decisions: [String: [String: Set<String?>]] = [:]
        var appended: Set<String> = []
        var counted: [String: Int] = [:]
        /// Goals and events of calls that failed: those are offered again as reported, or not.
        var unsureGoals: Set<String> = []
        var unsureEvents: Set<UInt32> = []
        var asked: Set<UInt32> = []
        var news: [UInt32: Int] = [:]
    }

    let state = Mutex(State())
}

/// The stores of one server, behind a proxy of its own.
private final class ModelServer: Sendable {
    let proxy: TestProxy
    let journal: PostgresEventJournal
    let taken = Mutex<Set<Int64>>([])
    private let store: PostgresVisitorStore
    private let history: PostgresEventHistory

    init(_ schema: TestSchema, patience: Duration) throws {
        let port = try #require(schema.address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) })
        proxy = try TestProxy(to: port)
        var options = TestSchema.options
        options.size = 2
        let address = "\(schema.address) port=\(proxy.port) sslmode=disable application_name=\(schema.name)"
        let database = try schema.database(address, options: options)
        store = PostgresVisitorStore(database)
        journal = PostgresEventJournal(database, lease: .seconds(3600), patience: patience, time: StepClock())
        history = PostgresEventHistory(database, patience: patience)
    }

    deinit { proxy.stop() }

    func act(_ kind: Int, _ name: String, _ random: inout SeededGenerator, _ answers: ModelAnswers) async throws {
        switch kind {
        case 0...3: try await save("v\(random.int(0...5))", "e\(random.int(0...6))", name, answers)
        case 4...6:
            try await append(name, "w\(random.int(0...2))", random.happens(60) ? "g\(random.int(0...9))" : nil, answers)
        case 7, 8: await record(UInt32(random.int(1...25)), answers)
        default: _ = try? await takeOver(random.int(1...20))
        }
    }

    private func save(_ key: String, _ experience: String, _ name: String, _ answers: ModelAnswers) async throws {
        let json = #"{"bucketing":{"\#(experience)":"\#(name)"},"goals":{"\#(name)":true}}"#
        let changes = VisitorChanges(try VisitorState(json: Data(json.utf8)))
        while true {
            guard let settled = try? await store.settle(changes, for: key) else {
                try await Task.sleep(for: .milliseconds(2))
                continue
            }
            answers.state.withLock { state in
                state.saved[key, default: []].insert(name)
                let stored = settled.bucketing?[PropertyKey(experience)]?.stringValue
                state.decisions[key, default: [:]][experience, default: []].insert(stored)
            }
            return
        }
    }

    private func append(_ name: String, _ visitor: String, _ goal: String?, _ answers: ModelAnswers) async throws {
        let goals = goal.map { [$0] } ?? []
        let names = goals.map { "\(visitor) \($0)" }
        for attempt in 0... {
            let call = JournalCall(rows: [Data(name.utf8)], visitor: visitor, goals: goals, isReported: attempt > 0)
            guard let ids = try? await aside({ try self.journal.append([call]) }) else {
                answers.state.withLock { $0.unsureGoals.formUnion(names) }
                try await Task.sleep(for: .milliseconds(2))
                continue
            }
            guard ids[0] != nil else { return #expect(attempt == 0) }
            answers.state.withLock { state in
                state.appended.insert(name)
                for name in names { state.counted[name, default: 0] += 1 }
            }
            return
        }
    }

    private func record(_ event: UInt32, _ answers: ModelAnswers) async {
        let isNew = try? await aside { try self.history.recordIfNew(EventFingerprint(rawValue: event), at: 1000) }
        answers.state.withLock { state in
            state.asked.insert(event)
            if isNew == nil { state.unsureEvents.insert(event) }
            if isNew ?? false { state.news[event, default: 0] += 1 }
        }
    }

    func takeOver(_ limit: Int) async throws -> [JournaledEvent] {
        let rows = try await journal.takeOver(limit)
        taken.withLock { $0.formUnion(rows.map(\.id)) }
        return rows
    }
}

/// Ends connections, loses answers, lets leases end and locks tables, now and then.
private final class Disturber: Sendable {
    let endsLeases: Bool
    let isOver = Atomic(false)
    private let schema: TestSchema
    private let servers: [ModelServer]
    private let seed: Int

    init(schema: TestSchema, servers: [ModelServer], seed: Int) {
        self.schema = schema
        self.servers = servers
        self.seed = seed
        endsLeases = seed % 3 != 2
    }

    func run() async throws {
        var random = SeededGenerator(seed: seed)
        let connection = try schema.connection()
        while !isOver.load(ordering: .relaxed) {
            switch random.int(0...9) {
            case 0...4: random.pick(servers).proxy.loseAnswer(after: random.int(0...5))
            case 5, 6:
                _ = try connection.run(
                    Command(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name = current_setting('search_path') AND random() < 0.5
                        """))
            case 7 where endsLeases:
                try connection.execute("UPDATE owners SET expires = '-infinity' WHERE random() < 0.7")
            case 8:
                try connection.execute("BEGIN; LOCK TABLE events, occurrences IN SHARE MODE")
                try await Task.sleep(for: .milliseconds(20))
                try connection.execute("COMMIT")
            default: break
            }
            try await Task.sleep(for: .milliseconds(random.int(1...15)))
        }
    }
}
#endif
