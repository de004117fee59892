@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

/// Variations that no longer get visitors, in logs without reasons.
struct StoppedVariationsTests {
    /// A config whose variations have these shares.
    private static func config(_ first: Int, _ second: Int, _ third: Int) -> Data {
        let variations = [("1", "a", first), ("2", "b", second), ("3", "c", third)].map { id, key, share -> JSValue in
            .object(Configs.variation(id, key, .integer(share)))
        }
        return Configs.data(
            Configs.config([
                "experiences": [
                    .object(
                        Configs.experience("checkout", id: "10", ["version": 12, "variations": .array(variations)]))
                ]
            ]))
    }

    /// A line of a visitor with a variation of the config.
    private static func line(_ id: String, _ key: String, _ config: Data, _ members: String = "") throws -> String {
        let digest = try #require(try DecisionReplay.Candidate(json: config).revision)
        return #"{"visitorId":"\#(id)","config":"\#(digest)",\#(members)"decisions":{"checkout":"\#(key)"}}"#
    }

    /// The lines of 400 visitors, one half with `a` and one half with `b`.
    private static func healthyLines(_ config: Data) throws -> [String] {
        try (0..<400).map { try line("v\($0)", $0 % 2 == 0 ? "a" : "b", config) }
    }

    private static func report(_ lines: [String], _ configs: Data...) throws -> SampleRatioLogReport {
        try SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
            .run(threads: 2, read: InputInPieces(lines.joined(separator: "\n").utf8).read)
    }

    @Test(arguments: [1, 3]) func aVariationWithoutTrafficIsUnknownAndNoMismatch(lineCount: Int) throws {
        let config = Self.config(50, 50, 0)
        let stopped = try Self.line("w", "c", config)
        let report = try Self.report(
            try Self.healthyLines(config) + Array(repeating: stopped, count: lineCount), config)
        let found = try #require(report.experiences.first)
        #expect(found.verdict == .notEnoughEvidence && found.whole.visitors == 400)
        #expect(found.uncounted.unknownVariations == lineCount && found.crossoverCount == 0 && report.hasErrors)
    }

    @Test func aVisitorWithAnUnknownVariationCountsWithTheNextOne() throws {
        let config = Self.config(50, 50, 0)
        let report = try Self.report([try Self.line("v", "c", config), try Self.line("v", "a", config)], config)
        let found = try #require(report.experiences.first)
        #expect(found.whole.visitors == 1 && found.uncounted.unknownVariations == 1)
    }

    @Test func aVariationFromBeforeItsStopIsKnown() throws {
        let (before, after) = (Self.config(30, 30, 40), Self.config(50, 50, 0))
        let lines = try [Self.line("v", "c", before), Self.line("v", "c", after)]
        let report = try Self.report(lines, before, after)
        #expect(report.uncounted.unknownVariations == 0 && report.repeats == 1 && !report.hasErrors)
    }

    @Test func aVariationFromBeforeTheEndOfItsExperienceIsKnown() throws {
        let (before, after) = (Self.config(50, 50, 0), Self.config(0, 0, 0))
        let lines = try Self.healthyLines(before) + Self.healthyLines(after)
        let report = try Self.report(lines, before, after)
        #expect(report.uncounted.unknownVariations == 0 && report.repeats == 400 && !report.hasErrors)
    }

    @Test func anotherVariationThanBeforeIsUnknownAndACrossover() throws {
        let config = Self.config(50, 50, 0)
        let report = try Self.report([try Self.line("v", "a", config), try Self.line("v", "c", config)], config)
        #expect(report.uncounted.unknownVariations == 1 && report.experiences.first?.crossoverCount == 1)
    }

    @Test func aStoredDecisionExplainsAVariationWithoutTraffic() throws {
        let config = Self.config(50, 50, 0)
        let line = try Self.line("v", "c", config, #""stored":{"bucketing":{"10":"3"}},"#)
        let report = try Self.report([line], config)
        #expect(report.uncounted.storedBefore == 1 && !report.hasErrors)
    }
}
