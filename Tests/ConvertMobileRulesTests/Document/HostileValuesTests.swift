import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

struct HostileValuesTests {
    static let values: [JSValue] = [
        .null, true, 5, -1, 1.5, 1e300, "", "text", [], [1, [2]], [:], ["a": ["b": []]], .integer(.max), .integer(.min),
    ]

    /// Every member of a whole document replaced by every kind of value.
    @Test func aValueOfAnyTypeInAnyMemberIsRefusedOrTolerated() throws {
        let whole: JSValue = [
            "version": 1,
            "rules": [
                [
                    "condition": all(
                        matcher("a", "eq", 1, "x"),
                        historical([["k": 1]], "ge", 1, ["from": 1, "to": 2, "searchType": "any"])),
                    "consequences": [
                        consequence("add", "add", ["eventdata": ["a": 1, "l[*]": ["b": 2]]]),
                        consequence(
                            "d", "dispatch", ["type": "t", "source": "s", "eventdataaction": "new", "eventdata": [:]]),
                        consequence(
                            "s", "schema",
                            [
                                "id": "i", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
                                "data": ["operation": "insert", "content": ["k": 1]],
                            ]),
                        consequence("c", "csp", ["operation": "write", "key": "k", "value": "v"]),
                    ],
                    "meta": [:],
                ]
            ],
        ]
        var accepted = 0
        for mutant in mutants(of: whole) {
            guard let document = try? RulesDocument(json: JSONEncoder().encode(mutant)) else { continue }
            accepted += 1
            for semantics in MobileRulesSemantics.allCases {
                var configuration = MobileRulesConfiguration()
                configuration.semantics = semantics
                let engine = MobileRulesEngine(configuration)
                engine.replaceRules(with: document)
                engine.processAll(event(["a": 1, "l": [["b": 1], 5]]))
            }
        }
        #expect(accepted > 100)
    }

    @Test func anEventOfTenMegabytesIsEvaluated() throws {
        let text = String(repeating: "x", count: 1_000)
        let rows = JSValue.array((0..<10_000).map { ["n": .integer($0), "t": .string(text)] })
        #expect(try holds(all(matcher("rows.9999.n", "eq", 9999), matcher("rows.0.t", "co", "xx")), ["rows": rows]))
    }

    @Test func anEventNestedTooDeepMatchesNothing() throws {
        func nested(_ depth: Int) -> JSObject { (1..<depth).reduce(["k": 1]) { inner, _ in ["k": .object(inner)] } }
        #expect(try holds(always, nested(MobileRulesLimits.dataDepth)))
        let tooDeep = nested(MobileRulesLimits.dataDepth + 1)
        let result = try engine(rule(always, consequence("x"))).process(event(tooDeep))
        #expect(result.consequences.isEmpty)
        #expect(result.warnings.count == 1)
    }

    @Test func aTextOfManyTokensIsReplacedInOnePass() throws {
        let text = JSValue.string(String(repeating: "{%a%}", count: 100_000))
        let consequences = try engine(rule(always, consequence("x", "an", ["v": text]))).evaluate(event(["a": "b"]))
        #expect(consequences[0].detail["v"] == .string(String(repeating: "b", count: 100_000)))
    }

    private func mutants(of value: JSValue) -> [JSValue] {
        var mutants = Self.values
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                for mutant in self.mutants(of: element) {
                    var copy = elements
                    copy[index] = mutant
                    mutants.append(.array(copy))
                }
            }
        case .object(let object):
            for member in object {
                var copy = object
                copy[member.key] = nil
                mutants.append(.object(copy))
                for mutant in self.mutants(of: member.value) {
                    copy[member.key] = mutant
                    mutants.append(.object(copy))
                }
            }
        default: break
        }
        return mutants
    }
}
