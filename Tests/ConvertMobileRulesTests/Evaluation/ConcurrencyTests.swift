import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

/// Many threads, one engine.
struct ConcurrencyTests {
    private static let threads = 8

    /// Runs `body` on many threads at once.
    private func everywhere(_ body: @escaping @Sendable (Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<Self.threads { group.addTask { body(index) } }
        }
    }

    @Test func rulesMayBeReplacedWhileEventsAreProcessed() async throws {
        let engine = try engine(rule(always, consequence("x"), consequence("x")))
        let other = try document(rule(always, consequence("y"), consequence("y")))
        await everywhere { index in
            for _ in 0..<200 {
                if index == 0 {
                    engine.replaceRules(with: other)
                } else {
                    #expect(Set(engine.process(event()).consequences.map(\.id)).count == 1)
                }
            }
        }
    }

    @Test func oneOfManyEventsAtOnceShowsTheMessage() async throws {
        let shown = Log<String>()
        let engine = try engine(
            rule(
                matcher("~state.com.adobe.module.userProfile/userprofiledata.seen", "nx"), consequence("m", "iam"),
                consequence("c", "csp", ["operation": "write", "key": "seen", "value": 1]))
        ) { $0.handlers["iam"] = ConsequenceClosure { shown.append($0.consequence.id) } }
        await everywhere { _ in for _ in 0..<50 { engine.process(event()) } }
        #expect(shown.entries == ["m"])
    }

    @Test func oneOfManyEventsAtOnceIsInserted() async throws {
        let inserted = Log<String>()
        let detail: JSValue = [
            "id": "i", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
            "data": ["operation": "insertIfNotExists", "content": ["k": "{%k%}"]],
        ]
        let engine = try engine(rule(always, consequence("s", "schema", detail))) {
            $0.handlers["schema"] = ConsequenceClosure { inserted.append($0.consequence.id) }
        }
        await everywhere { _ in for index in 0..<20 { engine.process(event(["k": .integer(index)])) } }
        #expect(inserted.entries.count == 20)
    }

    @Test func eventsRulesProfileAndExplanationsMayMeet() async throws {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumCount: 50))
        let profile = ClientSideProfile()
        let engine = try engine(rule(always, consequence("x"))) {
            $0.history = history
            $0.profile = profile
        }
        let more = try document(
            rule(
                all(
                    matcher("~state.com.adobe.module.userProfile/userprofiledata.k", "ge", 0),
                    historical([["n": 1]], "ge", 0)),
                consequence("c", "csp", ["operation": "write", "key": "k", "value": "{%n%}"])))
        await everywhere { thread in
            for index in 0..<40 {
                switch (thread + index) % 5 {
                case 0: engine.replaceRules(with: more)
                case 1: engine.addRules(more)
                case 2: profile.set("k", to: .integer(index))
                case 3: #expect(engine.explain(event()).rules.count >= 1)
                default: engine.processAll(event(["n": .integer(index)], mask: ["n"]))
                }
            }
        }
        #expect(history.count <= 50)
        #expect(engine.ruleCount >= 1)
    }

    @Test func eventsBeforeTheFirstRulesAreProcessedOnce() async throws {
        let handled = Log<String>()
        var configuration = MobileRulesConfiguration()
        configuration.handlers["an"] = ConsequenceClosure { handled.append($0.event.type) }
        let engine = MobileRulesEngine(configuration)
        let rules = try document(rule(always, consequence("a")))
        await everywhere { thread in
            if thread == 3 { engine.replaceRules(with: rules) }
            for index in 0..<20 { engine.process(event(type: "\(thread) \(index)")) }
        }
        #expect(handled.entries.count == Self.threads * 20)
        #expect(Set(handled.entries).count == Self.threads * 20)
    }
}
