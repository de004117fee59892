import ConvertECMAScript
import ConvertMobileRules
import Testing

struct DataMergeTests {
    struct Merge: Sendable {
        let data: JSObject
        let payload: JSObject
        let added: JSObject
        let modified: JSObject
    }

    static let merges: [Merge] = [
        Merge(data: ["a": 1], payload: ["a": 2, "b": 3], added: ["a": 1, "b": 3], modified: ["a": 2, "b": 3]),
        Merge(data: ["a": 1], payload: ["a": .null, "b": .null], added: ["a": 1], modified: [:]),
        Merge(
            data: ["o": ["a": 1]], payload: ["o": ["a": 2, "b": .null]], added: ["o": ["a": 1]],
            modified: ["o": ["a": 2]]),
        Merge(
            data: ["l": [1]], payload: ["l": [2, .null]], added: ["l": [1, 2, .null]], modified: ["l": [1, 2, .null]]),
        Merge(data: ["a": 1], payload: ["a": [1]], added: ["a": 1], modified: ["a": [1]]),
        Merge(
            data: ["l": [["i": 1], 5]], payload: ["l[*]": ["i": .null, "t": 2]], added: ["l": [["i": 1, "t": 2], 5]],
            modified: ["l": [["t": 2], 5]]),
        Merge(
            data: ["l": [["m": [["i": 1]]]]], payload: ["l[*]": ["m[*]": ["i": 2, "z": 0]]],
            added: ["l": [["m": [["i": 1, "z": 0]]]]], modified: ["l": [["m": [["i": 2, "z": 0]]]]]),
        Merge(data: ["a": 1], payload: ["l[*]": ["t": 1], "b[*]": 5], added: ["a": 1], modified: ["a": 1]),
        Merge(
            data: [:], payload: ["o": ["p": .null, "q": [:]]], added: ["o": ["q": [:]]], modified: ["o": ["q": [:]]]),
    ]

    @Test(arguments: merges) func addKeepsWhatIsThereAndModOverridesIt(merge: Merge) throws {
        for (type, expected) in [("add", merge.added), ("mod", merge.modified)] {
            let engine = try engine(rule(always, consequence("m", type, ["eventdata": .object(merge.payload)])))
            #expect(engine.process(event(merge.data)).event.data == expected, "\(type)")
        }
    }

    @Test func anEventWithoutDataStaysWithout() throws {
        let engine = try engine(rule(always, consequence("m", "add", ["eventdata": ["a": 1]])))
        #expect(engine.process(event(nil)).event.data == nil)
    }
}
