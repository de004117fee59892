import ConvertECMAScript
import ConvertMobileRules
import Testing

/// A sequence is looked for from the oldest occurrence of each of its events on.
struct OrderedSearchTests {
    private func isFound(_ times: [(event: JSObject, times: [Int64])]) throws -> Bool {
        let history = InMemoryEventHistory()
        for (event, times) in times {
            for time in times { history.record(EventFingerprint(of: event), at: time) }
        }
        let condition = historical(times.map { .object($0.event) }, "eq", 1, ["searchType": "ordered"])
        return try holds(condition) {
            $0.history = history
            $0.now = { 100 }
        }
    }

    @Test(
        arguments: [
            ([10, 30], [20], true), ([30], [20], false), ([20], [20], true), ([10, 30], [5], false),
            ([10], [5, 20], true),
        ] as [([Int64], [Int64], Bool)])
    func twoEventsAreFoundInOrder(first: [Int64], second: [Int64], isFound: Bool) throws {
        #expect(try self.isFound([(["a": 1], first), (["b": 1], second)]) == isFound)
    }

    @Test(
        arguments: [
            ([10, 40], [20, 50], [30], true), ([10], [20, 50], [30], true), ([10, 40], [50], [30], false),
            ([10], [20], [5], false),
        ] as [([Int64], [Int64], [Int64], Bool)])
    func threeEventsAreFoundInOrder(first: [Int64], second: [Int64], third: [Int64], isFound: Bool) throws {
        #expect(try self.isFound([(["a": 1], first), (["b": 1], second), (["c": 1], third)]) == isFound)
    }
}
