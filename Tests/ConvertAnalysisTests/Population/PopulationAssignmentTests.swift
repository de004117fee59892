import ConvertConcurrency
import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertAnalysis
@testable import ConvertSwiftSDKCore

struct PopulationAssignmentTests {
    /// The configs that the package records, by file.
    static let configs = [
        "configs/demo-shop.json", "workloads/w1-config.json", "workloads/w1s-config.json", "workloads/w2-config.json",
        "workloads/g2-10-config.json",
    ]

    static func url(_ file: String) -> URL {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return package.appendingPathComponent("TestVectors/\(file)")
    }

    static func config(_ file: String) throws -> ProjectConfig { try ProjectConfig(json: Data(contentsOf: url(file))) }

    /// Lines of random visitors with the attributes that rules of the config read.
    static func visitors(_ count: Int, for config: ProjectConfig, seed: Int) -> [PopulationVisitor] {
        let leaves = (config.audiences.map(\.rules) + config.locations.map(\.rules))
            .flatMap { $0?.blocks.flatMap { $0?.clauses.flatMap { $0?.leaves ?? [] } ?? [] } ?? [] }
            .compactMap(\.self)
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { index in
            var visitor = PopulationVisitor(visitorID: "v\(seed)-\(index)")
            var properties: JSObject = [:]
            for _ in 0..<random.int(0...12) where !leaves.isEmpty {
                let leaf = random.pick(leaves)
                guard let key = leaf.key else { continue }
                let value = leaf.value ?? "present"
                properties[key] = random.happens(80) ? value : .string(ECMAScript.toString(value) + "x")
            }
            visitor.attributes = properties
            if random.happens(10) { visitor.attributes["country"] = "de" }
            if random.happens(70) { visitor.locationProperties = properties }
            if random.happens(20), let experience = config.experiences.first, let id = experience.variations.last?.id {
                visitor.stored = VisitorState(record: ["bucketing": [experience.id.text: id.value]])
            }
            return visitor
        }
    }

    /// What `convert-sdk decide` answers: each key once, in order, what is stored seen by the next ones.
    private func decisions(_ visitor: PopulationVisitor, by manager: ExperienceManager) -> [(String, Decision)] {
        var person = manager.visitor(id: visitor.visitorID, attributes: visitor.attributes, state: visitor.stored)
        var options = DecisionOptions()
        options.locationProperties = visitor.locationProperties
        var keys: Set<PropertyKey> = []
        return manager.project.config.experiences.map(\.entityKey.lookUp.name).filter {
            keys.insert(PropertyKey($0)).inserted
        }
        .map { ($0, manager.selectVariation($0, for: &person, options: options).value) }
    }

    @Test(arguments: configs, RuleSemantics.allCases)
    func aVisitorIsAssignedAsDecided(file: String, semantics: RuleSemantics) throws {
        let config = try Self.config(file)
        let project = Project(config, options: CompilationOptions(semantics: semantics))
        var options = PopulationAssignment.Options()
        options.environment = "production"
        options.includesReasons = true
        let assignment = try PopulationAssignment(project, options: options)
        let manager = ExperienceManager(project: project, environment: "production")
        for visitor in Self.visitors(caseCount(100, plain: 40), for: config, seed: 7) {
            var expected: JSObject = ["visitorId": .string(visitor.visitorID)]
            var variations: JSObject = [:]
            var reasons: JSObject = [:]
            for (key, decision) in decisions(visitor, by: manager) {
                let variation = decision.variation
                variations[key] = variation.map { .string($0.variationKey ?? $0.variationID) } ?? .null
                reasons[key] = .string(variation?.source.rawValue ?? decision.reason.map { "\($0)" } ?? "")
            }
            expected["decisions"] = .object(variations)
            expected["reasons"] = .object(reasons)
            #expect(assignment.line(for: visitor) == ECMAScript.jsonText(of: .object(expected)), "\(visitor.json)")
        }
    }

    @Test func anExperienceSeesTheDecisionsStoredBeforeIt() throws {
        let exclusive = """
            {"account_id":"1","project":{"id":"2"},"audiences":[{"id":"a","key":"not-in-first","rules":{"OR":[{"AND":[
            {"OR_WHEN":[{"rule_type":"bucketed_into_experience_key","value":"first","matching":{"match_type":"equals",
            "negated":true}}]}]}]}}],"experiences":[
            {"id":"8","key":"first","version":11,"variations":[{"id":"81","key":"a","traffic_allocation":50}]},
            {"id":"9","key":"second","version":11,"audiences":["a"],
            "settings":{"matching_options":{"audiences":"any"}},"variations":[{"id":"91"}]}]}
            """
        let assignment = try PopulationAssignment(ProjectConfig(json: Data(exclusive.utf8)))
        var counts: [[Bool]: Int] = [:]
        for index in 0..<1000 {
            let decisions = assignment.decisions(for: PopulationVisitor(visitorID: "v\(index)"))
            #expect(decisions.map(\.experienceKey) == ["first", "second"])
            counts[decisions.map { $0.decision.variation != nil }, default: 0] += 1
        }
        #expect(Set(counts.keys) == [[true, false], [false, true]])
    }

    @Test func onlyTheExperiencesThatAreNamedAreDecidedEachOnce() throws {
        var options = PopulationAssignment.Options()
        options.experienceKeys = ["one-page-checkout", "new-navigation", "one-page-checkout"]
        let assignment = try PopulationAssignment(Self.config("configs/demo-shop.json"), options: options)
        let decisions = assignment.decisions(for: PopulationVisitor(visitorID: "visitor-2"))
        #expect(decisions.map(\.experienceKey) == ["one-page-checkout", "new-navigation"])
        options.experienceKeys = ["new-navigatoin"]
        let error = #expect(throws: UnknownExperienceError.self) {
            try PopulationAssignment(Self.config("configs/demo-shop.json"), options: options)
        }
        #expect(
            error?.description == "the config has no experience 'new-navigatoin'; did you mean 'new-navigation'?")
    }

    @Test func featuresWithoutAKeyAreNamedByTheirIDs() throws {
        let change = #"{"type": "fullStackFeature", "data": {"feature_id": "6", "variables_data": {"x": 1e400}}}"#
        let json = #"""
            {"account_id": "1", "project": {"id": "2"},
            "features": [{"id": "5"}, {"id": "6"}, {"id": "7", "key": null}],
            "experiences": [{"id": "9", "key": "e", "variations": [{"id": "91", "changes": [\#(change)]}]}]}
            """#
        let config = try ProjectConfig(json: Data(json.utf8))
        var options = PopulationAssignment.Options()
        options.includesFeatures = true
        let line = try PopulationAssignment(config, options: options).line(for: PopulationVisitor(visitorID: "v"))
        let features = #"{"5":null,"6":[{"experience":"e","variables":{"x":1e400}}],"7":null}"#
        #expect(line.hasSuffix(#","features":\#(features)}"#), "\(line)")
        let logged = try LoggedDecisions(line: Data(line.utf8))
        #expect(try DecisionReplay(config).differences(from: logged).isEmpty)
    }

    @Test func featuresAreThoseOfTheFeatureManager() throws {
        let config = try Self.config("configs/demo-shop.json")
        var options = PopulationAssignment.Options()
        options.includesFeatures = true
        let assignment = try PopulationAssignment(config, options: options)
        let features = FeatureManager(experiences: ExperienceManager(project: Project(config)))
        var enabledCount = 0
        for visitor in Self.visitors(caseCount(300, plain: 100), for: config, seed: 8) {
            var person = features.experiences.visitor(
                id: visitor.visitorID, attributes: visitor.attributes, state: visitor.stored)
            var decision = DecisionOptions()
            decision.locationProperties = visitor.locationProperties
            let expected = features.features(for: &person, options: decision).value.features
            let line = try JSValue(json: Data(assignment.line(for: visitor).utf8))
            let found = try #require(line.objectValue?["features"]?.objectValue)
            for feature in expected {
                let entries = found[try #require(feature.key)]
                #expect((feature.status == .enabled) == (entries?.isNull == false))
                guard feature.status == .enabled else { continue }
                enabledCount += 1
                let entry: JSValue = [
                    "experience": .string(try #require(feature.experienceKey)), "variables": feature.variables ?? .null,
                ]
                #expect(entries?.arrayValue?.contains(entry) == true)
            }
        }
        #expect(enabledCount > 0)
    }
}
