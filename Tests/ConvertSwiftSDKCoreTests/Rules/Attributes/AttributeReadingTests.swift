import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Attributes are looked up when a condition first reads them, in memory that copies of a visitor share.
struct AttributeReadingTests {
    /// An experience for each name, whose audience asks for that name's value.
    private func manager(_ values: [(name: String, value: String)], keysAreCaseSensitive: Bool = true) throws
        -> ExperienceManager
    {
        try ExperienceManager(
            [
                "audiences": .array(
                    values.map {
                        ["id": .string($0.name), "rules": rules([leaf($0.name, "equals", .string($0.value))])]
                    }),
                "experiences": .array(values.map { experience($0.name, ["audiences": [.string($0.name)]]) }),
            ], keysAreCaseSensitive: keysAreCaseSensitive)
    }

    private func matches(_ manager: ExperienceManager, _ visitor: inout Visitor) -> [Bool] {
        manager.selectVariations(for: &visitor).value.map { $0.variation != nil }
    }

    @Test(arguments: [true, false], [0, 1, 7, 40])
    func textsOfAnyLengthAreReadWhole(keysAreCaseSensitive: Bool, count: Int) throws {
        // Capitals, so that each text has a lowercase form besides; every other one differs in its last letter.
        let texts = (0..<count).map { String(repeating: "Ab", count: 1 << ($0 % 14)) }
        let values = texts.indices.map { (name: "k\($0)", value: texts[$0] + ($0 % 2 == 0 ? "C" : "d")) }
        let manager = try manager(values, keysAreCaseSensitive: keysAreCaseSensitive)
        let attributes = JSObject(texts.indices.map { ("k\($0)", .string(texts[$0] + "c")) })
        var visitor = manager.visitor(id: "visitor", attributes: attributes)
        #expect(matches(manager, &visitor) == texts.indices.map { $0 % 2 == 0 })
        #expect(visitor.attributes == attributes)
    }

    @Test func oneRuleSetMayReadMoreThanThereIsRoomFor() throws {
        let texts = (0..<30).map { String(repeating: "x", count: $0 * 20) }
        let leaves = texts.indices.map { [leaf("k\($0)", "equals", .string(texts[$0]))] }
        let graph: JSValue = ["OR": [block(leaves)]]
        let manager = try ExperienceManager([
            "audiences": [["id": "a", "rules": graph]], "experiences": [experience("e", ["audiences": ["a"]])],
        ])
        var attributes = JSObject(texts.indices.map { ("k\($0)", .string(texts[$0])) })
        #expect(manager.decide("e", attributes).variation != nil)
        attributes["k29"] = .string(texts[29] + "y")
        #expect(manager.decide("e", attributes).reason == .audienceNotMatched)
    }

    @Test func aCopyIsDecidedForItself() throws {
        let manager = try manager([("a", "yes"), ("b", "yes"), ("c", "yes")])
        var visitor = manager.visitor(id: "visitor", attributes: ["a": "yes", "c": "yes"])
        #expect(manager.selectVariation("a", for: &visitor).variation != nil)
        var copy = visitor.copy()
        #expect(manager.selectVariation("b", for: &copy).reason == .audienceNotMatched)
        #expect(matches(manager, &visitor) == [true, false, true])
        #expect(matches(manager, &copy) == [true, false, true])
        #expect(copy.attributes == visitor.attributes)
    }

    @Test func copiesMayBeDecidedAtOnce() async throws {
        let names = (0..<20).map { "k\($0)" }
        let manager = try manager(names.map { ($0, String(repeating: "yes", count: 30)) })
        let attributes = JSObject(
            names.map { ($0, .string(String(repeating: "yes", count: 30) + ($0 == "k7" ? "!" : ""))) })
        let visitor = manager.visitor(id: "visitor", attributes: attributes)
        await withTaskGroup(of: [Bool].self) { group in
            for start in 0..<64 {
                let own = visitor.copy()
                group.addTask {
                    var copy = own.copy()
                    let order = names.indices.map { names[($0 + start) % names.count] }
                    let matched = order.map { manager.selectVariation($0, for: &copy).variation != nil }
                    return zip(order, matched).map { name, isMatched in isMatched == (name != "k7") }
                }
            }
            for await areRight in group { #expect(areRight == names.map { _ in true }) }
        }
    }

    @Test func theSmallestOfNamesThatDifferInCaseIsReadAfterAnyOther() throws {
        let long = String(repeating: "Ab", count: 200)
        let manager = try ExperienceManager(
            [
                "audiences": [
                    ["id": "list", "rules": rules([leaf("Key", "equals", "x")])],
                    ["id": "number", "rules": rules([leaf("key", "less", 9)])],
                    ["id": "long", "rules": rules([leaf("other", "equals", .string(long))])],
                ],
                "experiences": .array(["list", "number", "long"].map { experience($0, ["audiences": [.string($0)]]) }),
            ], keysAreCaseSensitive: false)
        // The number is resolved first, then room is made, then the list takes its place.
        let attributes: JSObject = ["key": 5, "OTHER": .string(long), "KEY": ["x"]]
        var visitor = manager.visitor(id: "visitor", attributes: attributes)
        #expect(matches(manager, &visitor) == [true, false, true])
    }

    @Test func anExplanationShowsWhatNoDecisionReadYet() throws {
        let manager = try manager([("a", "yes")])
        let visitor = manager.visitor(id: "visitor", attributes: ["a": "No"])
        let gates = manager.explain("a", for: visitor).gates
        let conditions = gates.flatMap(\.rules).flatMap(\.groups).flatMap(\.clauses).flatMap(\.conditions)
        #expect(conditions.map(\.attribute) == ["No"])
    }
}
