@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// What lint says about conditions on other experiences.
struct QuestionFindingsTests {
    private static let ruleType = "bucketed_into_experience_key"

    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    /// A config whose second experience asks for an audience with these rules.
    private static func config(_ rules: JSValue) -> JSObject {
        Configs.config([
            "audiences": [Configs.audience("5", rules)],
            "experiences": [
                .object(Configs.experience("a", id: "10", ["variations": [.object(Configs.variation("1", "v", 50))]])),
                .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
            ],
        ])
    }

    private static func question(_ matching: JSValue) -> JSValue {
        ["rule_type": .string(ruleType), "value": "a", "matching": matching]
    }

    /// The matching of a question, the member that is not as it should be, and whether visitors are kept out.
    private static let matchings: [(matching: JSValue, member: String?, keepsOut: Bool)] = [
        (["match_type": "equals", "negated": true], nil, true), (["negated": true], nil, true),
        (["match_type": "equals", "negated": 1], "negated", true),
        (["match_type": "equals", "negated": "true"], "negated", true),
        (["match_type": "equals"], "negated", false), (.null, "negated", false),
        (["match_type": "notEquals", "negated": true], "match_type", true),
        (["match_type": "doesNotExist", "negated": false], "match_type", false),
    ]

    @Test(arguments: matchings.indices)
    func aQuestionIsSaidToDoWhatItDoes(index: Int) throws {
        let (matching, member, keepsOut) = Self.matchings[index]
        let path = "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0].matching."
        let found = try findings(Self.config(Configs.rules([[[Self.question(matching)]]]))).filter {
            $0.path.hasPrefix("$.audiences")
        }
        #expect(found.map(\.path) == (member.map { [path + $0] } ?? []), "\(found)")
        let effect = keepsOut ? "keeps out the visitors of 'a'." : "lets in only the visitors of 'a'."
        #expect(found.allSatisfy { $0.severity == .warning && $0.message.hasSuffix(effect) }, "\(found)")
    }

    @Test func rulesThatAQuestionStandsForAreNotSaidToFail() throws {
        let clause: JSValue = ["OR_WHEN": [Self.question(["match_type": "equals", "negated": true])]]
        for rest: JSValue in [.null, ["OR_WHEN": []]] {
            let found = try findings(Self.config(["OR": [["AND": [clause, rest]]]]))
            #expect(!found.contains { $0.path.hasPrefix("$.audiences") && $0.severity == .error }, "\(found)")
        }
    }

    @Test(arguments: ["site_area", "locations"])
    func onlyAudiencesAskAboutExperiences(member: String) throws {
        let rules = Configs.all(Self.question(["match_type": "equals", "negated": true]))
        let isLocation = member == "locations"
        let config = Configs.config([
            "locations": isLocation ? [Configs.audience("8", rules)] : [],
            "experiences": [
                .object(Configs.experience("a", id: "10")),
                .object(Configs.experience("b", id: "11", [member: isLocation ? ["8"] : rules])),
            ],
        ])
        let found = try findings(config).first { $0.path.hasSuffix(".OR_WHEN[0].rule_type") }
        #expect(found?.severity == .warning && found?.remedy == "Put the condition into an audience of its own.")
    }

    /// Experiences in order, each with the ones whose visitors it lets in or keeps out, and the one without visitors.
    private static let orders: [(order: [String], unreachable: String?)] = [
        (["a: -c +e", "c:", "e:"], "a"), (["c:", "b: +c +d -d", "d:"], "b"), (["c: +d", "b: +c -d", "d:"], "b"),
        (["b: +c -d", "c: +d", "d:"], "b"), (["a: +e", "c:", "e:"], nil), (["a: -c", "c:", "e:"], nil),
    ]

    @Test(arguments: orders.indices)
    func anExperienceThatKeepsOutEveryVisitorWhoReturnsIsUnreachable(index: Int) throws {
        let (order, unreachable) = Self.orders[index]
        var audiences: [JSValue] = []
        let experiences = order.enumerated().map { place, line in
            let words = line.split(separator: " ")
            let ids = words.dropFirst().map { word in
                let id = "5\(audiences.count)"
                let leaf = Configs.leaf(
                    "x", "equals", .string(String(word.dropFirst())), negated: word.hasPrefix("-"), type: Self.ruleType)
                audiences.append(Configs.audience(id, Configs.all(leaf)))
                return JSValue.string(id)
            }
            let settings: JSValue = ["matching_options": ["audiences": "all"]]
            return JSValue.object(
                Configs.experience(
                    String(words[0].dropLast()), id: "1\(place)", ["audiences": .array(ids), "settings": settings]))
        }
        let found = try findings(Configs.config(["audiences": .array(audiences), "experiences": .array(experiences)]))
            .filter { $0.code == .experienceUnreachable }
        let places = order.indices.filter { order[$0].hasPrefix("\(unreachable ?? "-"):") }
        #expect(found.map(\.path) == places.map { "$.experiences[\($0)]" }, "\(found)")
    }
}
