import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

/// Names that every object of JavaScript has without being given them.
struct InheritedNameTests {
    static let names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "__lookupGetter__"]

    private static func manager(_ semantics: RuleSemantics) throws -> ExperienceManager {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("__proto__", "equals", "x")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        return try ExperienceManager(members, semantics)
    }

    @Test(arguments: [RuleSemantics.javaScript, .standard, .flat])
    func noVisitorHasAnAttributeNamedProto(semantics: RuleSemantics) throws {
        let manager = try Self.manager(semantics)
        #expect(manager.visitor(id: "v", attributes: ["__proto__": "x", "a": 1]).attributes == ["a": 1])
        #expect(manager.segmentChange(in: ["__proto__": "x"]) == nil)
        var visitor = manager.visitor(id: "v", attributes: ["__proto__": "x"])
        #expect(visitor.state == VisitorState())
        var options = DecisionOptions()
        options.ignoresLocationProperties = true
        #expect(manager.selectVariation("e", for: &visitor, options: options).variation == nil)
        options.visitorProperties = ["__proto__": "x"]
        #expect(manager.selectVariation("e", for: &visitor, options: options).variation == nil)
        var other = manager.visitor(id: "v", state: try VisitorState(wire: ["segments": ["__proto__": "x", "b": 1]]))
        #expect(manager.selectVariation("e", for: &other, options: options).variation == nil)
    }

    @Test func membersAfterAProtoAreMergedWithWhatItHolds() {
        let old: JSObject = ["a": 1]
        let new: JSObject = [
            "__proto__": ["list": ["x"], "o": ["p": 1], "n": 1], "list": ["y"], "o": ["q": 2], "n": 2,
        ]
        #expect(old.deepMerging(new) == ["a": 1, "list": ["y", "x"], "o": ["p": 1, "q": 2], "n": 2])
    }

    @Test func behindANullProtoTheNameIsLikeAnyOther() {
        let (old, new): (JSObject, JSObject) = (["__proto__": .null], ["__proto__": "x"])
        #expect(old.deepMerging(new) == ["__proto__": "x"])
        #expect(new.deepMerging(old) == [:])
    }

    @Test func aReplacedObjectKeepsItsOwnProto() {
        let (old, new): (JSObject, JSObject) = (["o": 1], ["o": ["__proto__": 1]])
        #expect(old.deepMerging(new) == new)
    }

    @Test func nestedProtoMembersAreRemoved() {
        var nested: JSObject = ["a": 1]
        for _ in 0..<400 { nested = ["__proto__": .object(nested)] }
        #expect(JSObject(["b": 2]).deepMerging(nested) == ["b": 2])
    }

    @Test(arguments: names)
    func aGoalNamedLikeAnObjectMemberCountsUnderJavaScriptOnly(name: String) throws {
        for semantics in [RuleSemantics.javaScript, .standard, .flat] {
            let manager = try ExperienceManager(["goals": [["id": "1", "key": .string(name)]]], semantics)
            var visitor = manager.visitor(id: "v")
            let goals = GoalManager(project: manager.project)
            let expected: Conversion.Outcome = semantics == .javaScript ? .alreadyTriggered : .triggered
            #expect(goals.trackConversion(name, for: &visitor).value == expected)
        }
    }
}
