@testable import ConvertAnalysis
import ConvertTestSupport
import Foundation
import Testing

/// Visitors who came when another allocation was in force in the log.
struct EarlierAllocationsTests {
    typealias Content = RatioLogServer.Content
    private typealias Server = RatioLogServer

    private static func config(_ first: Int, _ second: Int, version: Int = 12) -> Data {
        RatioLogServer.config(first, second, version: version)
    }

    @Test(arguments: Content.allCases)
    func visitorsWithoutAVariationBeforeARampAreNotCounted(content: Content) throws {
        let (before, after) = (Self.config(10, 50), Self.config(50, 50))
        var server = Server()
        try server.decide(0..<3_000, by: before, content)
        try server.decide(0..<3_000, by: after, content)
        let report = try server.report(before, after)
        #expect(!report.isMismatch && report.uncounted.undealtBefore > 1_000)
        #expect((report.experiences.first?.whole.visitors ?? 0) + report.uncounted.undealtBefore == 3_000)
    }

    @Test func theSameSharesOfOtherBucketValuesAreAnotherAllocation() throws {
        let (packed, anchored) = (Self.config(10, 50, version: 8), Self.config(10, 50))
        var server = Server()
        try server.decide(0..<3_000, by: packed, .decision)
        try server.decide(0..<3_000, by: anchored, .decision)
        let report = try server.report(packed, anchored)
        #expect(!report.isMismatch && report.uncounted.undealtBefore > 100)
    }

    @Test func aVariationWithoutTrafficDoesNotHideOneWithTheSameFeatures() throws {
        let config = Self.config(50, 50)
        var server = Server()
        try server.decide(0..<1_000, by: config, .feature)
        let found = try #require(try server.report(config).experiences.first)
        #expect(found.whole.visitors == 1_000 && found.verdict != .mismatch)
    }

    @Test func visitorsWhoWereNotEligibleBeforeARampAreCounted() throws {
        let (before, after) = (Self.config(20, 20), Self.config(50, 50))
        var server = Server()
        try server.decide(0..<2_000, by: before, .decisionAndReason, isEligible: { $0 % 10 == 0 })
        // No line of the second variation gets into the log.
        try server.decide(0..<2_000, by: after, .decisionAndReason, isLost: { _, key, _ in key == "b" })
        let report = try server.report(before, after)
        #expect(report.isMismatch && report.uncounted.undealtBefore < 200)
    }

    /// The report of visitors of whom one tenth meets the entry conditions under the first configs, and all under the
    /// last one.
    private static func report(of configs: [Data], losing lost: String?) throws -> SampleRatioLogReport {
        var server = Server()
        for (day, config) in configs.enumerated() {
            let isLast = day == configs.count - 1
            try server.decide(
                0..<2_000, by: config, .decision, isEligible: { isLast || $0 % 10 == 0 },
                isLost: { _, key, _ in isLast && key == lost })
        }
        let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
        return try test.run(threads: 2, read: InputInPieces(server.lines.joined(separator: "\n").utf8).read)
    }

    @Test(arguments: [[(50, 50), (40, 50)], [(20, 20), (50, 50)], [(10, 10), (20, 20), (50, 50)]])
    func aVariationThatMayBeLostIsNamed(shares: [(Int, Int)]) throws {
        let report = try Self.report(of: shares.map { Self.config($0, $1) }, losing: "b")
        let found = try #require(report.experiences.first)
        // The counted visitors have the right shares, and the others do not count.
        #expect(found.possiblyLost.map(\.name) == ["b"] && found.verdict == .notEnoughEvidence)
        #expect(found.possiblyLostNote.contains("So 'b' may be lost: visitors get no variation in its place."))
        #expect(report.html().contains("&#39;b&#39; may be lost") || report.html().contains("'b' may be lost"))
        #expect(report.json.contains(#""possiblyLost":[{"name":"b","observed":0,"expected":"#))
    }

    @Test(arguments: [
        [(50, 50), (40, 50)], [(20, 20), (50, 50)], [(10, 50), (50, 50)], [(10, 10), (20, 20), (50, 50)],
    ])
    func noHealthyVariationSeemsLost(shares: [(Int, Int)]) throws {
        let report = try Self.report(of: shares.map { Self.config($0, $1) }, losing: nil)
        let found = try #require(report.experiences.first)
        #expect(found.possiblyLost.isEmpty && found.possiblyLostNote.isEmpty && report.uncounted.undealtBefore > 500)
    }

    @Test func aVariationWithoutFreeBucketValuesDoesNotSeemLost() throws {
        let (before, after) = (Self.config(10, 50), Self.config(50, 50))
        var server = Server()
        try server.decide(0..<3_000, by: before, .decision)
        try server.decide(0..<3_000, by: after, .decision)
        let found = try #require(try server.report(before, after).experiences.first)
        #expect(found.possiblyLost.isEmpty && found.verdict == .agrees)
    }

    @Test(arguments: [Content.decision, .decisionAndReason])
    func visitorsWhoBecomeEligibleInACourseOfAllocationsAreNoMismatch(content: Content) throws {
        let (high, low) = (Self.config(50, 50), Self.config(10, 50))
        var server = Server()
        let visitors = 0..<inputSize(6_000, plain: 2_000)
        try server.decide(visitors, by: high, content, isEligible: { $0 % 10 < 3 })
        try server.decide(visitors, by: low, content, isEligible: { $0 / 10 % 10 < 7 })
        try server.decide(visitors, by: high, content)
        #expect(try !server.report(high, low).isMismatch)
    }
}
