import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

struct PopulationSimulationTests {
    private func text(_ report: SimulationReport) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    private static func experience(_ id: Int, _ key: String, _ rest: String = "") -> String {
        #"{"id":"\#(id)","key":"\#(key)","version":12\#(rest),"variations":[{"id":"\#(id)1","key":"a","traffic_allocation":25},"#
            + #"{"id":"\#(id)2","key":"b","traffic_allocation":25}]}"#
    }

    private static func config(_ experiences: [String], audiences: [String] = []) throws -> ProjectConfig {
        try ProjectConfig(
            json: Data(
                """
                {"account_id":"1","project":{"id":"2"},"audiences":[\(audiences.joined(separator: ","))],
                "experiences":[\(experiences.joined(separator: ","))]}
                """.utf8))
    }

    private static func audience(_ id: String, _ leaf: String) -> String {
        #"{"id":"\#(id)","key":"\#(id)","rules":{"OR":[{"AND":[{"OR_WHEN":[\#(leaf)]}]}]}}"#
    }

    @Test func theSamePopulationGivesTheSameReportOnAnyThreads() async throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        let simulation = PopulationSimulation(config)
        // A part for each thread.
        let alone = try text(simulation.generate(4001, seed: 7))
        let together = try await aside { simulation.generate(4001, seed: 7, threads: 3) }
        #expect(try text(together) == alone)
        let few = try text(simulation.generate(200, seed: 7))
        #expect(try text(simulation.generate(200, seed: 8)) != few)
    }

    @Test func sharesAndCountsAreThoseOfTheConfig() throws {
        let report = PopulationSimulation(try Self.config([Self.experience(8, "one"), Self.experience(9, "two")]))
            .generate(caseCount(8_000, plain: 3_000), seed: 1)
        #expect(report.experiences.map(\.key) == ["one", "two"])
        for experience in report.experiences {
            #expect(experience.eligible == report.visitors)
            #expect(experience.variations.map(\.bucketShare) == [0.25, 0.25])
            #expect(experience.variations.map(\.observed).reduce(0, +) == experience.bucketed)
            #expect(experience.reasons == ["notBucketed": report.visitors - experience.bucketed])
            #expect(abs(Double(experience.bucketed) / Double(report.visitors) - 0.5) < 0.02)
            #expect(experience.ratio?.mismatch == false)
        }
        #expect(report.pairCount == 1 && report.pairs.map(\.isDependent) == [false])
        #expect(report.experiencesPerVisitor.reduce(0, +) == report.visitors)
    }

    /// Ten thousand simulations with CONVERT_CASES=250.
    @Test func simulationsInWhichNothingIsWrongAreSeldomCalledMismatches() throws {
        let simulation = PopulationSimulation(
            try Self.config([Self.experience(8, "one"), Self.experience(9, "two"), Self.experience(10, "three")]))
        let count = caseCount(40, plain: 20)
        var mismatches = 0, dependences = 0
        for seed in 0..<count {
            let report = simulation.generate(200, seed: UInt64(seed))
            // Of one experience each: three of one population are three tests.
            if report.experiences[seed % 3].ratio?.mismatch == true { mismatches += 1 }
            if report.pairs.contains(where: \.isDependent) { dependences += 1 }
        }
        // At most α of them, give or take four standard deviations of such a count.
        let expected = Double(count) * SampleRatioTest.threshold
        let most = Int(expected + 4 * expected.squareRoot() + 1)
        #expect(mismatches <= most && dependences <= most, "\(mismatches) and \(dependences) of \(count)")
    }

    @Test func experiencesOfOneHashDepend() throws {
        // Two experiences with one id hash alike.
        let twin = Self.experience(8, "twin")
        let config = try Self.config([Self.experience(8, "one"), twin])
        let report = PopulationSimulation(config).generate(inputSize(5_000, plain: 1_000), seed: 1)
        #expect(report.pairs.map(\.isDependent) == [true])
        // Visitors with one variation of the first have the same of the second.
        let table = try #require(report.pairs.first?.table)
        #expect(table.rows == table.columns && table.rows.count > 1)
        for (row, counts) in table.visitors.enumerated() {
            #expect(counts.indices.filter { counts[$0] > 0 } == [row])
        }
        #expect(report.html(for: config).contains("Variations of one, and across them those of twin"))
    }

    @Test func theGeneratorReachesWhatTheRulesAskFor() throws {
        let leaves = [
            ("equals", #""pro""#, false), ("contains", #""mail""#, false), ("startsWith", #""de""#, false),
            ("endsWith", #"".org""#, true), ("less", "10", false), ("lessEqual", "3", true), ("isIn", #""x|y""#, false),
            ("regexMatches", #""^(gold|silver)$""#, false), ("exists", "true", false), ("doesNotExist", "true", false),
            ("matches", "true", false), ("equalsNumber", "7", true),
        ]
        let audiences = leaves.enumerated().map { index, leaf in
            Self.audience(
                "a\(index)",
                #"{"rule_type":"generic_text_key_value","key":"k\#(index)","value":\#(leaf.1),"matching":{"match_type":"\#(leaf.0)","negated":\#(leaf.2)}}"#
            )
        }
        let experiences = leaves.indices.map { index in
            Self.experience(
                index + 1, "e\(index)",
                #","audiences":["a\#(index)"],"settings":{"matching_options":{"audiences":"any"}}"#)
        }
        let report = PopulationSimulation(try Self.config(experiences, audiences: audiences)).generate(
            inputSize(2_000, plain: 700), seed: 3)
        for experience in report.experiences {
            #expect(experience.eligible > report.visitors / 20, "\(experience.key)")
            #expect(experience.eligible < report.visitors, "\(experience.key)")
            #expect(experience.audiences.map(\.matched) == [experience.eligible])
        }
    }

    /// No text that the config has matches the pattern, nor does what is left of the pattern without its signs.
    @Test func theGeneratorSearchesForWhatItCannotGuess() throws {
        let audience = Self.audience(
            "a",
            #"{"rule_type":"generic_text_key_value","key":"zip","value":"^\\d{5}$","matching":{"match_type":"regexMatches","negated":false}}"#
        )
        let experience = Self.experience(
            8, "one", #","audiences":["a"],"settings":{"matching_options":{"audiences":"any"}}"#)
        let report = PopulationSimulation(try Self.config([experience], audiences: [audience])).generate(1000, seed: 1)
        #expect((400...600).contains(report.experiences[0].eligible))
    }

    @Test func exclusionsAreCounted() throws {
        let exclusion = Self.audience(
            "x",
            #"{"rule_type":"bucketed_into_experience_key","value":"one","matching":{"match_type":"equals","negated":true}}"#
        )
        let two = Self.experience(9, "two", #","audiences":["x"],"settings":{"matching_options":{"audiences":"any"}}"#)
        let first = PopulationSimulation(try Self.config([Self.experience(8, "one"), two], audiences: [exclusion]))
            .generate(2000, seed: 1)
        let kept = try #require(first.exclusions.first)
        #expect(kept.experience == "two" && kept.other == "one" && kept.keepsOut && !kept.isDecidedLater)
        #expect(kept.both == 0 && kept.otherOnly == first.experiences[0].bucketed)
        // Visitors new to both are decided in config order, so a later experience excludes no visitor.
        let second = PopulationSimulation(try Self.config([two, Self.experience(8, "one")], audiences: [exclusion]))
            .generate(2000, seed: 1)
        #expect(second.exclusions.map(\.isDecidedLater) == [true])
        #expect(second.exclusions.allSatisfy { $0.both > 0 })
    }

    @Test func attributesComeAsTheSpecificationHasThem() throws {
        let audiences = [
            Self.audience(
                "a",
                #"{"rule_type":"generic_text_key_value","key":"plan","value":"pro","matching":{"match_type":"equals","negated":false}}"#
            ),
            Self.audience(
                "b",
                #"{"rule_type":"generic_numeric_key_value","key":"age","value":20,"matching":{"match_type":"less","negated":false}}"#
            ),
        ]
        let matching = #","settings":{"matching_options":{"audiences":"any"}}"#
        let config = try Self.config(
            [
                Self.experience(8, "one", #","audiences":["a"]"# + matching),
                Self.experience(9, "two", #","audiences":["b"]"# + matching),
            ], audiences: audiences)
        let specification = try AttributeSpecification([
            "plan": ["values": ["pro": 3, "free": 1], "missing": 0.5], "age": ["min": 10, "max": 29],
        ])
        let report = PopulationSimulation(config).generate(
            inputSize(10_000, plain: 2_500), seed: 2, attributes: specification)
        let tolerance = 2 / Double(report.visitors).squareRoot()
        #expect(abs(report.experiences[0].eligibleShare - 0.375) < tolerance)
        #expect(abs(report.experiences[1].eligibleShare - 0.5) < tolerance)
    }

    static let badSpecifications: [JSObject] = [
        ["a": 1], ["a": []], ["a": ["values": ["x": -1]]], ["a": ["values": ["x": 0]]], ["a": ["min": 2, "max": 1]],
        ["a": ["min": 0.5, "max": 1]], ["a": ["values": ["x": 1], "missing": 2]], ["a": [:]],
        ["a": ["min": -9_223_372_036_854_775_808, "max": 1]],
        ["a": ["values": ["x": 1], "mising": 0.5]],
    ]

    @Test(arguments: badSpecifications)
    func anInvalidSpecificationIsRefused(json: JSObject) {
        #expect(throws: AttributeSpecificationError.self) { try AttributeSpecification(json) }
    }

    @Test(arguments: [-1, 0, 3])
    func anyNumberOfThreadsGivesTheSameReport(threads: Int) async throws {
        let simulation = PopulationSimulation(try Self.config([Self.experience(8, "one")]))
        let counts = try await aside {
            [1, threads].map { threads in
                simulation.generate(5000, seed: 1, threads: threads).experiences[0].variations.map(\.observed)
            }
        }
        #expect(counts[0] == counts[1] && counts[0].reduce(0, +) > 0)
    }

    @Test func visitorsOfAFileAreSimulated() async throws {
        let config = try Self.config([Self.experience(8, "one")])
        let lines = (0..<500).map { PopulationVisitor(visitorID: "v\($0)").json + "\n" }.joined() + "{}\n"
        let report = try await aside {
            try PopulationSimulation(config).run(.jsonLines, threads: 2, read: InputInPieces(lines.utf8).read)
        }
        #expect(report.visitors == 500 && report.errors == 1 && report.seed == nil)
        #expect(report.experiences[0].eligible == 500)
    }

    @Test func theReportIsOnePageWithoutAnythingElse() throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        let page = PopulationSimulation(config).generate(500, seed: 7).html(for: config)
        #expect(page.hasPrefix("<!doctype html>"))
        for forbidden in ["http:", "https:", "src=", "@import", "url("] { #expect(!page.contains(forbidden)) }
        for experience in config.experiences { #expect(page.contains(">\(experience.key ?? "")</h2>")) }
    }

    @Test func namesFromTheConfigAreTextOnThePage() throws {
        let hostile = #"<script>alert('x')</script>&\""#
        let config = try Self.config([Self.experience(8, hostile)])
        let page = PopulationSimulation(config).generate(50, seed: 7).html(for: config)
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;"))
    }
}
