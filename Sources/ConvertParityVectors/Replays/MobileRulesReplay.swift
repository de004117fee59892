import ConvertECMAScript
import ConvertMobileRules
import ConvertConcurrency

/// Events that the mobile rules engine processes. The results are compared with the reference's results.
struct MobileRulesReplay: VectorReplay {
    func mismatch(in testCase: MobileRulesCase) -> Mismatch? {
        let document: RulesDocument?
        switch testCase.rules {
        case .success(let rules): document = rules
        case .failure(let error):
            if testCase.steps.first?.expect.isRejected != true {
                return Mismatch(expected: "rules that are accepted", actual: "refused: \(error)")
            }
            document = nil
        }
        if document != nil, testCase.steps.first?.expect.isRejected == true {
            return Mismatch(expected: "rules that are refused", actual: "accepted")
        }
        // A rejected document leaves the loaded rules unchanged. Here, no rules were loaded before.
        return replay(testCase, document ?? .empty)
    }

    private func replay(_ testCase: MobileRulesCase, _ document: RulesDocument) -> Mismatch? {
        let clock = ReplayClock()
        var configuration = MobileRulesConfiguration()
        configuration.semantics = .reference
        configuration.sharedStates = FixedSharedStates(byKey: testCase.states)
        configuration.history = testCase.history
        configuration.now = { clock.now }
        configuration.secondsFromGMT = { _ in testCase.timeZone }
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: document)
        for (index, step) in testCase.steps.enumerated() {
            if let now = step.now { clock.now = now }
            let results = testCase.handlesDispatched ? engine.processAll(step.event) : [engine.process(step.event)]
            for (member, expected, actual) in step.expect.comparisons(with: results) {
                let place = index == 0 ? member : "event \(index + 1), \(member)"
                if let mismatch = Mismatch(expected: expected, actual: actual, place: place) { return mismatch }
            }
        }
        return nil
    }
}

/// The clock of a case. Its events set the time.
private final class ReplayClock: Sendable {
    private let time = Mutex<Int64>(0)

    var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

extension MobileRulesCase.Expectation {
    /// The expected members, each with the expected and the actual value.
    fileprivate func comparisons(
        with results: [MobileRulesResult]
    ) -> [(member: String, expected: JSValue?, actual: JSValue?)] {
        guard let first = results.first else { return [] }
        var comparisons: [(member: String, expected: JSValue?, actual: JSValue?)] = []
        func compare(_ member: String, _ actual: JSValue?) {
            if let expected = members[member] { comparisons.append((member, expected, actual)) }
        }
        compare("consequences", .array(first.consequences.map { .string($0.id) }))
        compare("details", .array(first.consequences.map { .object($0.detail) }))
        compare("data", first.event.data.map { .object($0) } ?? .null)
        compare("dispatched", .array(results.flatMap(\.dispatched).map(\.asValue)))
        compare("triggered", .array(results.flatMap(\.triggered).map { .string($0.consequence.id) }))
        compare("recorded", .array(results.flatMap(\.recorded).map { .object($0) }))
        return comparisons
    }
}

extension MobileEvent {
    fileprivate var asValue: JSValue {
        var object: JSObject = ["type": .string(type), "source": .string(source)]
        object["data"] = data.map { .object($0) }
        return .object(object)
    }
}
