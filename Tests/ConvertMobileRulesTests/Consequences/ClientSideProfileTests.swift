import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import ConvertConcurrency
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ClientSideProfileTests {
    /// Hands an engine, once, to a callback that is made before it.
    private final class Box: Sendable {
        private let engine = Mutex<MobileRulesEngine?>(nil)

        func set(_ engine: MobileRulesEngine) { self.engine.withLock { $0 = engine } }

        func take() -> MobileRulesEngine? {
            engine.withLock { engine in
                defer { engine = nil }
                return engine
            }
        }
    }

    private static let writes = rule(
        matcher("~type", "eq", "write"), consequence("a", "csp", ["operation": "write", "key": "k", "value": 1]),
        consequence("b", "csp", ["operation": "write", "key": "l", "value": 2]))

    @Test func changesAreReportedAfterAnEventAndMayPutAnother() throws {
        let box = Box()
        let changes = Log<JSObject>()
        let matched = Log<[Int]?>()
        let profile = ClientSideProfile { values in
            changes.append(values)
            matched.append(box.take()?.process(event(type: "told")).matchedRules)
        }
        let engine = try engine(Self.writes, rule(matcher("~type", "eq", "told"))) { $0.profile = profile }
        box.set(engine)
        engine.process(event(type: "write"))
        #expect(changes.entries == [["k": 1, "l": 2]])
        #expect(matched.entries == [[1]])
    }

    @Test func anObserverMaySetValues() {
        let changes = Log<JSObject>()
        let own = Mutex<ClientSideProfile?>(nil)
        let profile = ClientSideProfile { values in
            changes.append(values)
            if values["l"] == nil { own.withLock { $0 }?.set("l", to: 2) }
        }
        own.withLock { $0 = profile }
        profile.set("k", to: 1)
        own.withLock { $0 = nil }
        #expect(changes.entries == [["k": 1], ["k": 1, "l": 2]])
    }

    @Test func concurrentChangesAreReportedInOrder() async {
        let changes = Log<JSObject>()
        let profile = ClientSideProfile { changes.append($0) }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { for number in 1...500 { profile.set("\(task)", to: .integer(number)) } }
            }
        }
        let told = changes.entries
        #expect(told.last == profile.values)
        for task in 0..<4 {
            let numbers = told.compactMap { values -> Int? in
                if case .integer(let number)? = values["\(task)"] { number } else { nil }
            }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test func anObserverThatIsAskedForExplanationsMayPutAnEvent() throws {
        struct Observer: MobileRulesObserver {
            let box: Box
            let explained = Log<[Bool]>()
            var wantsExplanations: Bool {
                box.take()?.process(event())
                return true
            }
            func didEvaluate(_ explanation: RulesExplanation) { explained.append(explanation.rules.map(\.matches)) }
            func didWarn(_ warning: MobileRulesWarning) {}
        }
        let box = Box()
        let observer = Observer(box: box)
        let engine = try engine(rule(always)) { $0.observer = observer }
        box.set(engine)
        engine.process(event())
        #expect(observer.explained.entries == [[true], [true]])
    }
}
