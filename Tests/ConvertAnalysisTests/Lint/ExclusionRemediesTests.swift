@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Remedies about experiences that ask about each other, carried out as they say.
struct ExclusionRemediesTests {
    /// A question of an experience about another one.
    struct Question: Sendable {
        let key: String
        var keepsOut = true
    }

    /// An experience with its questions, and the share of its only variation.
    struct Node: Sendable {
        let key: String
        var questions: [Question] = []
        var share = 100.0
        var matching = "all"
        var others: [String] = []
    }

    static func config(_ nodes: [Node], _ changes: JSObject = JSObject()) -> JSObject {
        var audiences: [JSValue] = [
            Configs.audience("de", Configs.all(Configs.leaf("country", "equals", "de"))),
            Configs.audience("at", Configs.all(Configs.leaf("country", "equals", "at"))),
        ]
        for key in Set(nodes.flatMap { $0.questions.map(\.key) }).sorted() {
            for keepsOut in [true, false] {
                let leaf = Configs.leaf(
                    "x", "equals", .string(key), negated: keepsOut, type: "bucketed_into_experience_key")
                audiences.append(Configs.audience("\(keepsOut ? "not" : "in") \(key)", Configs.all(leaf)))
            }
        }
        var members: JSObject = [
            "audiences": .array(audiences),
            "experiences": .array(
                nodes.map { node in
                    let ids = node.questions.map { "\($0.keepsOut ? "not" : "in") \($0.key)" } + node.others
                    return .object(
                        Configs.experience(
                            node.key, id: "id-\(node.key)",
                            [
                                "audiences": .array(ids.map { .string($0) }),
                                "settings": ["matching_options": ["audiences": .string(node.matching)]],
                                "variations": [
                                    .object(Configs.variation("v-\(node.key)", "v", .number(node.share)))
                                ],
                            ]))
                }),
        ]
        for member in changes { members[member.key] = member.value }
        return Configs.config(members)
    }

    private func findings(_ nodes: [Node]) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(Self.config(nodes)))
    }

    private func errors(_ nodes: [Node]) throws -> [String] {
        try findings(nodes).filter { $0.severity == .error }.compactMap(\.entity)
    }

    private func remedy(_ nodes: [Node]) throws -> String? {
        try findings(nodes).first { $0.code == .exclusionOrder || $0.code == .negatedAlternatives }?.remedy
    }

    @Test func theRemedyOfAnOrderSaysWhatTakesEveryVisitor() throws {
        let later = [Node(key: "b", questions: [Question(key: "a")]), Node(key: "a")]
        #expect(
            try remedy(later)
                == "Put experience 'a' before experience 'b'. First allocate experience 'a' less than all of the "
                + "traffic: otherwise it takes every visitor whom experience 'b' would let in.")
        // Without the first step it would be an error.
        #expect(try errors([later[1], later[0]]) == ["experience 'b'"])
        #expect(try findings([Node(key: "a", share: 50), later[0]]).allSatisfy { $0.severity > .warning })
    }

    @Test func theRemedyOfAnOrderIsPlainIfVisitorsAreLeft() throws {
        let later = [Node(key: "b", questions: [Question(key: "a")]), Node(key: "a", share: 50)]
        #expect(try remedy(later) == "Put experience 'a' before experience 'b'.")
        // It takes only some of those whom the other one would let in.
        let country = [Node(key: "b", questions: [Question(key: "a")]), Node(key: "a", others: ["de"])]
        #expect(try remedy(country) == "Put experience 'a' before experience 'b'.")
    }

    @Test func theRemedyOfAnOrderLeavesMoreThanAFewVisitors() throws {
        let later = [Node(key: "b", questions: [Question(key: "a")]), Node(key: "a", share: 99.99)]
        #expect(try remedy(later)?.contains("First allocate experience 'a' less of the traffic") == true)
        // The third one loses its visitors to the first one, once that one gets those of the last one.
        let dependant = [
            Node(key: "b", questions: [Question(key: "a", keepsOut: false)]),
            Node(key: "c", questions: [Question(key: "b")]),
            Node(key: "a", share: 99.99),
        ]
        #expect(try remedy(dependant)?.hasSuffix("is left for experience 'c'.") == true)
    }

    /// Two that take all visitors together.
    @Test func theRemedyNamesAllThatTakeEveryVisitor() throws {
        let later = [
            Node(key: "b", questions: [Question(key: "a"), Question(key: "c")]), Node(key: "a", others: ["de"]),
            Node(key: "c", questions: [Question(key: "a")]),
        ]
        let remedies = try findings(later).filter { $0.code == .exclusionOrder }.map(\.remedy)
        #expect(remedies.count == 2 && remedies[0] == "Put experience 'a' before experience 'b'.")
        // What the second one asks about moves with it.
        #expect(remedies[1].hasPrefix("Put experience 'a' and experience 'c' before experience 'b', in this order. "))
        #expect(remedies[1].contains("First allocate experience 'a' and experience 'c' less than all of the traffic"))
    }

    /// The experience that stands between keeps its place behind the one that it excludes.
    @Test func whatAnExperienceAsksAboutMovesWithIt() throws {
        let nodes = [
            Node(key: "b", questions: [Question(key: "a")], share: 50),
            Node(key: "m", share: 50), Node(key: "a", questions: [Question(key: "m")], share: 50),
        ]
        #expect(try remedy(nodes) == "Put experience 'm' and experience 'a' before experience 'b', in this order.")
        #expect(try findings([nodes[1], nodes[2], nodes[0]]).allSatisfy { $0.severity > .warning })
    }

    /// Without its audience, the first one takes every visitor of the one that excludes its visitors.
    @Test func removingARequirementLeavesVisitorsToOthers() throws {
        let ring = [
            Node(key: "a", questions: [Question(key: "b", keepsOut: false)]),
            Node(key: "b", questions: [Question(key: "a")]),
        ]
        let remedy = try #require(try remedy(ring))
        #expect(remedy.contains("remove this audience"))
        #expect(remedy.contains("First allocate experience 'a' less than all of the traffic"))
        #expect(try errors([Node(key: "a"), ring[1]]) == ["experience 'b'"])
    }

    @Test func requiringAllAudiencesLeavesVisitors() throws {
        let any = [Node(key: "a"), Node(key: "b", questions: [Question(key: "a")], matching: "any", others: ["de"])]
        #expect(
            try remedy(any)
                == "Ask for all audiences in settings.matching_options. First allocate experience 'a' less than all of "
                + "the traffic: otherwise it takes every visitor whom experience 'b' would let in.")
        let two = [
            Node(key: "a", share: 50),
            Node(key: "b", questions: [Question(key: "a")], matching: "any", others: ["de", "at"]),
        ]
        // No visitor is in both countries.
        #expect(try remedy(two)?.hasPrefix("Put what the other audiences ask for into one audience") == true)
        let one = [two[0], Node(key: "b", questions: [Question(key: "a")], matching: "any", others: ["de"])]
        #expect(try remedy(one) == "Ask for all audiences in settings.matching_options.")
    }

    /// Without the exclusion, the second one takes every visitor whom the third one lets in.
    @Test func theRemedyForAStarvedExperienceStarvesNoOther() throws {
        let chain = [
            Node(key: "a"), Node(key: "b", questions: [Question(key: "a")]),
            Node(key: "c", questions: [Question(key: "b")]),
        ]
        let found = try findings(chain).filter { $0.code == .experienceUnreachable }
        #expect(found.map(\.entity) == ["experience 'b'"])
        #expect(found.map(\.remedy) == ["Allocate 'a' less than all of the traffic."])
        let two = try findings(Array(chain.prefix(2))).first { $0.code == .experienceUnreachable }
        #expect(
            two?.remedy
                == "Allocate 'a' less than all of the traffic, or remove the audience that excludes its visitors.")
    }

    /// The second one takes the rest, so that less for the first one changes nothing.
    @Test func theRemedyNamesTheExperienceThatTakesTheRest() throws {
        let nodes = [
            Node(key: "a", share: 50), Node(key: "c", questions: [Question(key: "a")]),
            Node(key: "b", questions: [Question(key: "a"), Question(key: "c")]),
        ]
        let found = try findings(nodes).first { $0.code == .experienceUnreachable }
        #expect(
            found?.remedy
                == "Allocate 'c' less than all of the traffic, or remove the audiences that exclude their visitors.")
    }
}
