@testable import ConvertAnalysis
import ConvertTestSupport
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Consequences under their causes, the order of a report, and what is left out of it.
struct FindingFamiliesTests {
    private static func badPatterns(_ count: Int) -> JSObject {
        Configs.config([
            "audiences": .array(
                (0..<count).map { Configs.audience("\($0)", Configs.all(Configs.leaf("p", "regexMatches", "(bad["))) }),
            "experiences": .array(
                (0..<count).map {
                    .object(Configs.experience("e\($0)", id: "1\($0)", ["audiences": [.string("\($0)")]]))
                }),
        ])
    }

    @Test func findingsThatFollowFromAPatternStandUnderIt() throws {
        let findings = try ConfigLint().findings(in: Configs.data(Self.badPatterns(9)))
        #expect(findings.count { $0.because == nil } == 9)
        for (index, finding) in findings.enumerated() where finding.because == nil {
            #expect(finding.code == .invalidPattern)
            let following = findings[(index + 1)...].prefix { $0.because != nil }
            #expect(following.map(\.code) == [.groupNeverHolds, .audienceNeverHolds, .experienceUnreachable])
            #expect(following.allSatisfy { $0.because == LintFinding.Cause(code: finding.code, path: finding.path) })
        }
    }

    @Test func hundredsOfMistakesAreListedWithAllThatFollows() throws {
        let count = inputSize(500, plain: 260)
        let findings = try ConfigLint().findings(in: Configs.data(Self.badPatterns(count)))
        #expect(findings.count == 4 * count && findings.count { $0.because == nil } == count)
    }

    @Test func aPageSaysWhatAFindingFollowsFrom() throws {
        let data = Configs.data(Self.badPatterns(1))
        let page = LintReport(
            try ConfigLint().findings(in: data), in: try ProjectConfig(json: data), semantics: .standard
        ).html
        #expect(page.contains(#"<p class="soft">Follows from invalid-pattern at <code>"#))
    }

    @Test func whatFollowsFromMissingRulesAndAllocationsStandsUnderThem() throws {
        func causes(_ config: JSObject) throws -> [LintCode?] {
            try ConfigLint().findings(in: Configs.data(config)).filter { $0.severity == .error }
                .map { $0.because?.code }
        }
        #expect(try causes(Configs.audienceConfig(.null)) == [nil, .malformed])
        // Consequences of a group without clauses are those of the group alone.
        #expect(try causes(Configs.audienceConfig(["OR": [["AND": []]]])) == [nil, .malformed, .malformed])
        let variations: JSValue = [
            .object(Configs.variation("1", "a", "50%")), .object(Configs.variation("2", "b", 50)),
        ]
        let shares = Configs.config([
            "experiences": [
                .object(Configs.experience("checkout", id: "10", ["version": 12, "variations": variations]))
            ]
        ])
        let found = try ConfigLint().findings(in: Configs.data(shares))
        #expect(found.first { $0.code == .variationUnreachable }?.because?.code == .allocationUnreadable)
    }

    /// Conditions that exclude each other are no consequence of one of them.
    @Test func aConflictIsACauseItself() throws {
        let config = Configs.audienceConfig(
            Configs.all(Configs.leaf("v", "less", 1), Configs.leaf("v", "less", 2, negated: true)))
        let findings = try ConfigLint().findings(in: Configs.data(config))
        let group = try #require(findings.first { $0.code == .groupNeverHolds })
        #expect(group.because == nil)
        let followers = findings.filter { $0.because == LintFinding.Cause(code: group.code, path: group.path) }
        #expect(followers.contains { $0.code == .experienceUnreachable })
    }

    @Test func moreNotesThanAreListedHideNoError() throws {
        var config = Configs.audienceConfig(Configs.all(Configs.leaf("p", "regexMatches", "(bad[")))
        for index in 0..<7_000 { config["x\(index)y\(index)"] = 1 }
        let findings = try ConfigLint().findings(in: Configs.data(config))
        #expect(findings.first?.code == .invalidPattern)
        #expect(findings.contains { $0.code == .experienceUnreachable })
        // What follows from the pattern is listed with it.
        #expect(findings.count == 1_004 && findings.last?.code == .moreFindings)
    }

    /// Those that are not kept may be new.
    @Test func moreErrorsThanAreKeptAreAnErrorAlthoughTheKeptOnesAreIgnored() throws {
        let unknown = (0..<5_100).map { JSValue.string("a\($0)") }
        let config = Configs.config([
            "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": .array(unknown)]))]
        ])
        var exceptions = LintExceptions()
        exceptions.ignore(.unknownReference, at: nil)
        let findings = try ConfigLint(exceptions: exceptions).findings(in: Configs.data(config))
        #expect(findings.last?.code == .moreFindings && findings.last?.severity == .error)
    }

    @Test func findingsNameEntitiesAndPlacesWithKeys() throws {
        let finding = try #require(try ConfigLint().findings(in: Configs.data(Self.badPatterns(1))).first)
        #expect(finding.entity == "audience 'audience-0'")
        #expect(finding.place == "$.audiences['audience-0'].rules.OR[0].AND[0].OR_WHEN[0].value")
    }

    @Test func aBaselineLeavesOutWhatItHas() throws {
        let old = try ConfigLint().findings(in: Configs.data(Self.badPatterns(1))).json
        var exceptions = LintExceptions()
        let isReport = exceptions.ignoreAll(in: try JSValue(json: Data(old.utf8)))
        #expect(isReport)
        let same = ConfigLint(exceptions: exceptions)
        #expect(try same.findings(in: Configs.data(Self.badPatterns(1))).isEmpty)
        // An entity before those that are known changes their indices, and not their places.
        var config = Self.badPatterns(1)
        config["audiences"] = .array(
            [Configs.audience("x", Configs.all(Configs.leaf("q", "regexMatches", "(bad[")))]
                + (config["audiences"]?.arrayValue ?? []))
        let fresh = try same.findings(in: Configs.data(config)).filter { $0.severity == .error }
        #expect(fresh.allSatisfy { $0.entity == "audience 'audience-x'" } && fresh.count == 3)
        let isBaseline = exceptions.ignoreAll(in: ["findings": [1]])
        #expect(!isBaseline)
    }

    @Test func aKindIsIgnoredEverywhereOrAtAPlace() throws {
        let data = Configs.data(Self.badPatterns(2))
        var exceptions = LintExceptions()
        exceptions.ignore(.invalidPattern, at: "$.audiences['audience-0']")
        let findings = try ConfigLint(exceptions: exceptions).findings(in: data)
        #expect(findings.filter { $0.code == .invalidPattern }.map(\.path).first?.hasPrefix("$.audiences[1]") == true)
        exceptions.ignore(.groupNeverHolds)
        #expect(try !ConfigLint(exceptions: exceptions).findings(in: data).contains { $0.code == .groupNeverHolds })
    }

    /// One takes everybody whom the other would let in.
    @Test func anExperienceThatAnotherOneStarvesIsFound() throws {
        let config = SeededDefectsTests.exclusion(of: "first")
        let finding = try #require(
            try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .experienceUnreachable })
        #expect(finding.path == "$.experiences[1]" && finding.witness != nil)
        let manager = ExperienceManager(project: Project(try ProjectConfig(json: Configs.data(config))))
        for number in 0..<500 {
            var visitor = manager.visitor(id: "v\(number)")
            let decisions = manager.selectVariations(for: &visitor, options: DecisionOptions()).value
            #expect(decisions.map { $0.variation != nil } == [true, false])
        }
    }

    /// Each excludes the visitors of the one before it, and the first one those of the last.
    @Test(arguments: [2, 3, 5])
    func aRingOfExclusionsGetsRemediesThatDoNotLoop(count: Int) throws {
        let config = Configs.config([
            "audiences": .array(
                (0..<count).map { place in
                    Configs.audience(
                        "\(place)",
                        Configs.all(
                            Configs.leaf(
                                "x", "equals", .string("e\((place + count - 1) % count)"), negated: true,
                                type: "bucketed_into_experience_key")))
                }),
            "experiences": .array(
                (0..<count).map {
                    .object(Configs.experience("e\($0)", id: "1\($0)", ["audiences": [.string("\($0)")]]))
                }),
        ])
        let findings = try ConfigLint().findings(in: Configs.data(config))
        #expect(findings.first?.code == .experienceUnreachable && findings.last?.code == .exclusionOrder)
        #expect(!findings.contains { $0.remedy.contains("before") })
    }

    @Test func keysInPlaceOfIDsAreToldApart() throws {
        let config = Configs.config([
            "audiences": [Configs.audience("5", Configs.all(SeededDefectsTests.plan))],
            "experiences": [
                .object(Configs.experience("checkout", id: "10", ["audiences": ["audience-5", "100211"]]))
            ],
        ])
        let findings = try ConfigLint().findings(in: Configs.data(config)).filter { $0.code == .unknownReference }
        #expect(findings.map(\.remedy).first == "Write its id, '5'.")
        #expect(findings.last?.remedy.contains("Did you mean") == false)
    }
}
