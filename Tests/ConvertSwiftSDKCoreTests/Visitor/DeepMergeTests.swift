import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct DeepMergeTests {
    @Test func mergingWithNothingChangesNothing() {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: seed)
            let object = randomObject(&random)
            #expect(object.deepMerging([:]) == object, "seed \(seed)")
            #expect(JSObject().deepMerging(object) == object, "seed \(seed)")
        }
    }

    @Test func mergingTwiceChangesNothingMore() {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: seed)
            let (old, new) = (randomObject(&random), randomObject(&random))
            let merged = old.deepMerging(new)
            if old.isEmpty { continue }
            #expect(merged.deepMerging(new).sortingArrays == merged.sortingArrays, "seed \(seed)")
        }
    }

    @Test func everyKeyOfBothIsThere() {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: seed)
            let (old, new) = (randomObject(&random), randomObject(&random))
            let keys = Set(old.deepMerging(new).map(\.key.name))
            #expect(keys == Set(old.map(\.key.name) + new.map(\.key.name)), "seed \(seed)")
        }
    }

    /// Old, new, merged.
    static let merges: [(JSValue, JSValue, JSValue)] = [
        (1, 2, 2), ("a", .null, .null), (.null, "a", "a"), (["a"], "b", "b"), ("a", ["b"], ["b"]), (["x": 1], 5, 5),
        (["a"], ["b"], ["b", "a"]), (["a", "b"], ["b", "c"], ["b", "c", "a"]), ([1, "1"], ["1", 1], ["1", 1]),
        (["x": 1, "y": 2], ["y": 3, "z": 4], ["x": 1, "y": 3, "z": 4]),
        (["a"], ["x": 1], ["0": "a", "x": 1]), (["x": ["y": ["a"]]], ["x": ["y": ["b"]]], ["x": ["y": ["b", "a"]]]),
    ]

    @Test(arguments: merges) func aMemberIsMerged(old: JSValue, new: JSValue, merged: JSValue) {
        #expect((["k": old] as JSObject).deepMerging(["k": new]) == ["k": merged])
    }

    @Test(arguments: [(256, true), (257, false), (2_000, false)])
    func objectsAreMergedDownToALimitAndReplacedBelow(depth: Int, isMerged: Bool) throws {
        var (old, new): (JSValue, JSValue) = (["old": 1], ["new": 2])
        for _ in 0..<depth { (old, new) = (["x": old], ["x": new]) }
        var innermost = JSValue.object(try #require(old.objectValue).deepMerging(try #require(new.objectValue)))
        for _ in 0..<depth { innermost = try #require(innermost.objectValue?["x"]) }
        #expect(innermost == (isMerged ? ["old": 1, "new": 2] : ["new": 2]))
    }

    private static let list: [JSValue] = [["n": 1], [1, 2], ["n": 1]]

    @Test func equalObjectsAndListsOfTwoArraysStayTwice() {
        let equal: [JSValue] = [["n": 1], [1, 2]]
        let merged = (["k": .array(Self.list)] as JSObject).deepMerging(["k": .array(equal)])
        #expect(merged["k"] == .array(equal + Self.list))
    }

    @Test func theSameObjectsAndListsMergedAgainStayOnce() {
        let object: JSObject = ["k": .array(Self.list)]
        #expect(object.deepMerging(object) == object)
        #expect(object.deepMerging(object).deepMerging(object) == object)
    }

    @Test func emptyObjectsStayTwice() {
        let object: JSObject = ["k": [[:], []]]
        #expect(object.deepMerging(object) == ["k": [[:], [], [:], []]])
    }

    @Test func manyNumbersAndTextsAreUnitedWithoutDuplicates() {
        let old = (0..<20_000).map { JSValue.integer($0) }
        let new = (10_000..<30_000).map { JSValue.integer($0) } + (0..<20_000).map { JSValue.string("\($0)") }
        let merged = (["k": .array(old)] as JSObject).deepMerging(["k": .array(new)])
        #expect(merged["k"] == .array(new + old.prefix(10_000)))
    }
}

private func randomObject(_ random: inout SeededGenerator, depth: Int = 0) -> JSObject {
    var object = JSObject()
    for key in ["a", "b", "c"] where random.happens(60) {
        switch random.int(0...(depth < 3 ? 5 : 3)) {
        case 0: object[key] = .null
        case 1: object[key] = .integer(random.int(0...2))
        case 2: object[key] = .string(random.pick(["x", "y"]))
        case 3: object[key] = .array(random.happens(50) ? ["x", "y"] : ["y", "z"])
        default: object[key] = .object(randomObject(&random, depth: depth + 1))
        }
    }
    return object
}

extension JSObject {
    /// The object with every array of texts sorted: a second merge puts the new elements first again.
    fileprivate var sortingArrays: JSObject {
        JSObject(
            map { member in
                switch member.value {
                case .array(let elements):
                    (member.key.name, .array(elements.compactMap(\.stringValue).sorted().map(JSValue.string)))
                case .object(let object): (member.key.name, .object(object.sortingArrays))
                default: (member.key.name, member.value)
                }
            })
    }
}
