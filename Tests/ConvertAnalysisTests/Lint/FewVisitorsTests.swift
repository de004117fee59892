@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Experiences that others leave at most one visitor of a hundred.
struct FewVisitorsTests {
    private typealias Node = ExclusionRemediesTests.Node
    private typealias Question = ExclusionRemediesTests.Question

    private func found(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config)).filter { $0.code == .fewVisitorsLeft }
    }

    private func found(_ nodes: [Node]) throws -> [LintFinding] { try found(ExclusionRemediesTests.config(nodes)) }

    private let excluding = Node(key: "b", questions: [Question(key: "a")])

    @Test func thirdsThatLeaveOneBucketValueAreFound() throws {
        var config = ExclusionRemediesTests.config([Node(key: "a"), excluding])
        var experiences = config["experiences"]?.arrayValue ?? []
        var first = experiences[0].objectValue ?? JSObject()
        first["variations"] = .array((1...3).map { .object(Configs.variation("\($0)", "v\($0)", 33.33)) })
        experiences[0] = .object(first)
        config["experiences"] = .array(experiences)
        let finding = try #require(try found(config).first)
        #expect(finding.path == "$.experiences[1]" && finding.severity == .suspicious)
        #expect(finding.message.contains("leaves experience 'b' 0.01 % of the new visitors"))
        // The first visitor is in the other experience, and the second one enters.
        let manager = ExperienceManager(project: Project(try ProjectConfig(json: Configs.data(config))))
        let answers = try [finding.witness, finding.contrast].map { person in
            let person = try #require(person)
            var visitor = manager.visitor(person)
            return manager.selectVariations(for: &visitor, options: person.options()).value.map { $0.variation != nil }
        }
        #expect(answers == [[true, false], [false, true]])
    }

    @Test(arguments: [(99.99, true), (99.0, true), (98.9, false), (50.0, false)])
    func oneVisitorOfAHundredIsTheLimit(share: Double, isFound: Bool) throws {
        #expect(try found([Node(key: "a", share: share), excluding]).isEmpty != isFound)
    }

    @Test func severalThatLeaveFewTogetherAreFound() throws {
        let both = Node(key: "b", questions: [Question(key: "a"), Question(key: "c")])
        // A tenth of a tenth: they are independent of each other.
        #expect(try found([Node(key: "a", share: 90), Node(key: "c", share: 90), both]).count == 1)
        #expect(try found([Node(key: "a", share: 90), Node(key: "c", share: 80), both]).isEmpty)
        // One of them takes from the rest of the other one.
        let rest = Node(key: "c", questions: [Question(key: "a")], share: 99.5)
        #expect(try found([Node(key: "a", share: 50), rest, both]).map(\.entity) == ["experience 'b'"])
    }

    @Test func conditionsOfTheOthersCount() throws {
        let german = Node(key: "a", share: 99.99, others: ["de"])
        #expect(try found([german, excluding]).isEmpty)
        // Both ask for the same.
        let both = Node(key: "b", questions: [Question(key: "a")], others: ["de"])
        #expect(try found([german, both]).map(\.entity) == ["experience 'b'"])
        let other = Node(key: "b", questions: [Question(key: "a")], others: ["at"])
        #expect(try found([german, other]).isEmpty)
        // An alternative lets visitors in.
        let any = Node(key: "b", questions: [Question(key: "a")], matching: "any", others: ["de"])
        #expect(try found([german, any]).isEmpty)
    }

    /// A requirement is meant; an exclusion within it leaves few of its visitors.
    @Test func theVisitorsOfARequiredExperienceCountAsAll() throws {
        let small = Node(key: "s", share: 0.5)
        #expect(try found([small, Node(key: "b", questions: [Question(key: "s", keepsOut: false)])]).isEmpty)
        let within = Node(key: "b", questions: [Question(key: "s", keepsOut: false), Question(key: "a")])
        #expect(try found([Node(key: "s", share: 50), Node(key: "a", share: 99.99), within]).count == 1)
    }

    @Test func anExperienceOfTheFewVisitorsIsAConsequence() throws {
        let nodes = [
            Node(key: "a", share: 99.99), excluding, Node(key: "c", questions: [Question(key: "b", keepsOut: false)]),
        ]
        let found = try found(nodes)
        #expect(found.map(\.entity) == ["experience 'b'", "experience 'c'"])
        #expect(found.last?.because == LintFinding.Cause(code: .fewVisitorsLeft, path: "$.experiences[1]"))
    }

    @Test func anEnvironmentWithFewVisitorsIsNamed() throws {
        var config = ExclusionRemediesTests.config([Node(key: "a", share: 99.99), excluding])
        var experiences = config["experiences"]?.arrayValue ?? []
        var first = experiences[0].objectValue ?? JSObject()
        first["environment"] = "production"
        experiences[0] = .object(first)
        config["experiences"] = .array(experiences)
        let found = try found(config)
        #expect(
            found.count == 1
                && found[0].message.hasPrefix("A call for all experiences in 'production' leaves experience 'b' 0.01 %")
        )
    }

    @Test func anExperienceWithoutAnyVisitorIsAnError() throws {
        #expect(try found([Node(key: "a"), excluding]).isEmpty)
    }
}
