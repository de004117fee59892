#if Postgres
import ConvertECMAScript
import ConvertStoreContracts
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct VisitorStoreTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test(arguments: VisitorStoreContract.allCases)
    func keepsTheContract(clause: VisitorStoreContract) async throws {
        try await clause.check(
            merged: { VisitorChanges($1).merged(over: $0) },
            open: { PostgresVisitorStore(try schema.database()) })
    }

    @Test func theFirstStoredDecisionWinsAndTheLoserLearnsIt() async throws {
        let (one, other) = (PostgresVisitorStore(try schema.database()), PostgresVisitorStore(try schema.database()))
        let first = try await one.settle(VisitorChanges(state(#"{"bucketing":{"1":"a"}}"#)), for: "v")
        #expect(first == (try state(#"{"bucketing":{"1":"a"}}"#)))
        let second = try await other.settle(
            VisitorChanges(state(#"{"bucketing":{"1":"b","2":"c"},"goals":{"g":true}}"#)), for: "v")
        #expect(second == (try state(#"{"bucketing":{"1":"a","2":"c"},"goals":{"g":true}}"#)))
        // One that is made in knowledge of what is stored takes its place.
        let forced = VisitorChanges(try state(#"{"bucketing":{"1":"b"}}"#), replaced: ["1": ["a"]])
        #expect(try await one.settle(forced, for: "v").bucketing?["1"] == "b")
        let late = VisitorChanges(try state(#"{"bucketing":{"1":"z"}}"#), replaced: ["1": ["a"]])
        #expect(try await other.settle(late, for: "v").bucketing?["1"] == "b")
        #expect(try await one.load("v") == other.load("v"))
    }

    /// Stores of several servers, called at once at random, against the merge in memory.
    @Test(arguments: 0..<caseCount(4)) func serversAgree(seed: Int) async throws {
        let stores = try (0..<3).map { _ in PostgresVisitorStore(try schema.database()) }
        var random = SeededGenerator(seed: seed)
        var goals: [String: Set<String>] = [:]
        var model: [String: VisitorState] = [:]
        for round in 0..<40 {
            let calls = random.list(upTo: 20) { random in
                let key = "v\(random.int(0...5))"
                let goal = "\(random.int(0...30))"
                let record =
                    #"{"bucketing":{"\#(random.int(0...9))":"\#(round)-\#(random.int(0...99))"},"goals":{"\#(goal)":true}}"#
                return (store: random.pick(stores), key: key, goal: goal, record: record)
            }
            let answers = try await withThrowingTaskGroup { group in
                for call in calls {
                    group.addTask {
                        let changes = VisitorChanges(try state(call.record))
                        return (call.key, changes, try await call.store.settle(changes, for: call.key))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for call in calls { goals[call.key, default: []].insert(call.goal) }
            for (key, changes, answer) in answers {
                let before = model[key] ?? VisitorState()
                let now = try #require(try await random.pick(stores).load(key))
                // What was stored stays; what an answer says is stored.
                for member in before.bucketing ?? JSObject() { #expect(now.bucketing?[member.key] == member.value) }
                for member in answer.bucketing ?? JSObject() { #expect(now.bucketing?[member.key] == member.value) }
                for member in changes.changes.bucketing ?? JSObject() { #expect(answer.bucketing?[member.key] != nil) }
                #expect(Set(now.goals?.members.map(\.key.name) ?? []) == goals[key], "seed \(seed), round \(round)")
            }
            for key in Set(calls.map(\.key)) { model[key] = try await stores[0].load(key) }
        }
    }

    @Test func saveAfterSaveIsTheMergeInMemory() async throws {
        let stores = try (0..<2).map { _ in PostgresVisitorStore(try schema.database()) }
        for seed in 0..<caseCount(4) {
            var random = SeededGenerator(seed: seed)
            var model: [String: VisitorState] = [:]
            for _ in 0..<150 {
                let key = "\(seed)-\(random.int(0...4))"
                let changes = VisitorChanges(
                    try state(
                        """
                        {"bucketing":{"\(random.int(0...3))":"\(random.int(0...3))"},
                        "segments":{"customSegments":["\(random.int(0...9))"],"source":"\(random.int(0...9))"}\
                        \(random.happens(30) ? #","locations":["x"]"# : "")}
                        """), replaced: ["0": ["1"], "1": ["2", "3"]])
                model[key] = changes.merged(over: model[key] ?? VisitorState())
                #expect(try await random.pick(stores).settle(changes, for: key) == model[key], "seed \(seed)")
                #expect(try await random.pick(stores).load(key) == model[key], "seed \(seed)")
            }
        }
    }

    @Test(arguments: [false, true]) func aRecordThatCannotBeReadIsForgotten(isLoadedFirst: Bool) async throws {
        let store = PostgresVisitorStore(try schema.database())
        let record = try state(#"{"goals":{"g":true}}"#)
        try await store.save(record, for: "v")
        try schema.connection().execute("UPDATE visitors SET record = '\\x7b'")
        if isLoadedFirst {
            for _ in 0..<3 { #expect(try await store.load("v") == nil) }
            #expect(try schema.integer("SELECT count(*) FROM visitors") == 0)
        }
        try await store.save(record, for: "v")
        #expect(await eventually { schema.reported.count == 1 })
        #expect(try await store.load("v") == record)
    }

    @Test func savesThatComeTogetherShareTransactions() async throws {
        var options = TestSchema.options
        options.size = 1
        let store = PostgresVisitorStore(try schema.database(options: options))
        try await store.save(state(#"{"goals":{"g":true}}"#), for: "first")
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors")
        try await withThrowingTaskGroup { group in
            for index in 0..<300 {
                group.addTask { try await store.save(state(#"{"goals":{"g":true}}"#), for: "\(index)") }
            }
            while try schema.integer("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 0 {
                try await Task.sleep(for: .milliseconds(2))
            }
            try other.execute("COMMIT")
            try await group.waitForAll()
        }
        #expect(try schema.integer("SELECT count(*) FROM visitors") == 301)
        #expect(try schema.integer("SELECT count(DISTINCT xmin::text) FROM visitors") < 30)
    }
}

private func state(_ json: String) throws -> VisitorState { try VisitorState(json: Data(json.utf8)) }
#endif
