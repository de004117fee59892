import ConvertECMAScript
import ConvertMobileRules
import ConvertTestSupport
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

    /// Rules of which each merge multiplies by the members of an array.
    private static func multiplying(_ count: Int) -> JSValue {
        let many = JSValue.array(Array(repeating: [:], count: count))
        let payloads: [JSObject] = [["a": many], ["a[*]": ["b": many]], ["a[*]": ["b[*]": ["c": many]]]]
        return rule(
            always, consequence("1", "mod", ["eventdata": .object(payloads[0])]),
            consequence("2", "add", ["eventdata": .object(payloads[1])]),
            consequence("3", "mod", ["eventdata": .object(payloads[2])]),
            consequence("4", "mod", ["eventdata": ["d": 1]]), consequence("x"))
    }

    @Test func arraysWithinArraysMultiplyOnlyUpToALimit() throws {
        let result = try engine(Self.multiplying(200)).process(event(["k": 1]))
        #expect(result.warnings.map(\.place) == ["$.rules[0], consequence '3'"])
        guard case .array(let elements)? = result.event.data?["a"] else {
            Issue.record("the merges that fit are missing")
            return
        }
        #expect(elements == Array(repeating: ["b": .array(Array(repeating: [:], count: 200))], count: 200))
        #expect(result.event.data?["d"] == nil)
        #expect(result.triggered.map(\.consequence.id) == ["x"])
        let smaller = try engine(Self.multiplying(50)).process(event(["k": 1]))
        #expect(smaller.warnings.isEmpty)
        #expect(smaller.event.data?["d"] == 1)
    }

    @Test func theLimitOfValuesIsKeptOnBothSides() throws {
        let engine = try engine(rule(always, consequence("m", "add", ["eventdata": ["l": [2]]])))
        /// Of these elements, the member that holds them, and the payload's member and element.
        func merges(_ elements: Int) -> Bool {
            let data: JSObject = ["l": .array(Array(repeating: 1, count: elements))]
            return engine.process(event(data)).event.data != data
        }
        #expect(merges(MobileRulesLimits.mergedValues - 3))
        #expect(!merges(MobileRulesLimits.mergedValues - 2))
    }

    @Test func wildcardsOfTheEventItselfAreBounded() throws {
        let many = JSValue.array(Array(repeating: [:], count: 1_000))
        let data: JSObject = ["a": many, "a[*]": ["b": many, "b[*]": ["c": many]]]
        let result = try engine(rule(always, consequence("m", "mod", ["eventdata": ["k": 1]]))).process(event(data))
        #expect(result.event.data == data)
        #expect(result.warnings.count == 1)
    }

    @Test func membersOutsideThePayloadAreReadOnce() throws {
        let members = (0..<inputSize(100_000, plain: 30_000)).map { ("\($0)", JSValue.integer($0)) }
        let merges = (0..<50).map { consequence("\($0)", "mod", ["eventdata": ["k": .integer($0)]]) }
        let result = try engine(["condition": always, "consequences": .array(merges)])
            .process(event(["o": .object(JSObject(members))]))
        #expect(result.warnings.isEmpty)
        #expect(result.event.data?["k"] == 49)
    }

    @Test func aSmallChangeOfALargeEventCostsLittleHoweverOften() throws {
        let data = JSObject((0..<5_000).map { ("\($0)", JSValue.integer($0)) })
        let merges: [JSValue] = (0..<150).map { index in
            let payload: JSObject = ["k": .integer(index), "\(index)": .null, "o": ["\(index)": 1], "l": [1]]
            return consequence("\(index)", index % 3 == 0 ? "add" : "mod", ["eventdata": .object(payload)])
        }
        let result = try engine(["condition": always, "consequences": .array(merges)]).process(event(data))
        #expect(result.warnings.isEmpty)
        #expect(result.event.data?["k"] == 149)
        #expect(result.event.data?["1"] == nil)
        #expect(result.event.data?["3"] == 3)
        #expect(result.event.data?["o"]?.objectValue?.count == 150)
        #expect(result.event.data?["l"]?.arrayValue?.count == 150)
        #expect(result.event.data?.count == 5_000 + 3 - 100)
    }

    /// What has been merged into before has less to be looked at, and comes out the same.
    @Test(arguments: merges) func aSecondMergeIsLikeAFirst(merge: Merge) throws {
        for type in ["add", "mod"] {
            let payload = consequence("m", type, ["eventdata": .object(merge.payload)])
            let first = try engine(rule(always, payload)).process(event(merge.data)).event.data
            let once = try engine(rule(always, payload)).process(event(first)).event.data
            let twice = try engine(rule(always, payload, payload)).process(event(merge.data)).event.data
            #expect(twice == once, "\(type)")
        }
    }

    @Test func manyWildcardsAreCheap() throws {
        let data = JSObject((0..<inputSize(100_000, plain: 30_000)).map { ("\($0)[*]", JSValue.null) })
        let result = try engine(rule(always, consequence("m", "mod", ["eventdata": ["k": 1]]))).process(event(data))
        #expect(result.event.data == ["k": 1])
    }
}
