@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Visitors who came when another allocation was in force, in the log or before it.
struct EarlierAllocationsTests {
    /// A config whose variations carry a feature: `a` and `old` with the same variables, `b` with others.
    private static func config(_ first: Int, _ second: Int, version: Int = 12) -> Data {
        func variation(_ id: String, _ key: String, _ share: Int, _ size: String) -> JSValue {
            let data: JSValue = ["feature_id": "7", "variables_data": ["size": .string(size)]]
            let changes: JSValue = [["id": .string(size), "type": "fullStackFeature", "data": data]]
            return .object(Configs.variation(id, key, .integer(share), ["changes": changes]))
        }
        let experience = Configs.experience(
            "checkout", id: "10",
            [
                "version": .integer(version),
                "variations": [
                    variation("1", "a", first, "1"), variation("2", "b", second, "2"), variation("3", "old", 0, "1"),
                ],
            ])
        return Configs.data(
            Configs.config([
                "features": [["id": "7", "key": "g", "variables": [["key": "size", "type": "integer"]]]],
                "experiences": [.object(experience)],
            ]))
    }

    /// What a line says.
    enum Content: CaseIterable {
        case decision, decisionAndReason, feature
    }

    /// A server that stores the variations of its visitors and writes a line for each visit.
    private struct Server {
        private(set) var lines: [String] = []
        private var stored: [Int: (id: String, key: String)] = [:]
        private var day = 0

        /// Decides for visitors on the next day.
        ///
        /// - Parameters:
        ///   - isEligible: whether a visitor meets the entry conditions.
        ///   - isLost: whether the line of a visitor with this variation is lost.
        mutating func decide(
            _ visitors: Range<Int>, by config: Data, _ content: Content,
            isEligible: (Int) -> Bool = { _ in true },
            isLost: (_ number: Int, _ key: String, _ isStored: Bool) -> Bool = { _, _, _ in false }
        ) throws {
            let candidate = try DecisionReplay.Candidate(json: config)
            let manager = ExperienceManager(project: Project(candidate.config))
            day += 1
            for number in visitors {
                let before = stored[number]
                var visitor = manager.visitor(id: "v\(number)")
                if before == nil, isEligible(number),
                    let found = manager.selectVariation("checkout", for: &visitor).value.variation
                {
                    stored[number] = (found.variationID, found.variationKey ?? "")
                }
                let key = isEligible(number) ? stored[number]?.key : nil
                if let key, isLost(number, key, before != nil) { continue }
                var members = [
                    #""time":"2026-11-0\#(day)T10:00:00Z""#, #""visitorId":"v\#(number)""#,
                    #""config":"\#(candidate.revision ?? "")""#,
                ]
                if let before { members.append(#""stored":{"bucketing":{"10":"\#(before.id)"}}"#) }
                if content == .feature {
                    let entry = #"[{"experience":"checkout","variables":{"size":\#(key == "b" ? 2 : 1)}}]"#
                    members += [#""call":{"feature":"g"}"#, #""features":{"g":\#(key == nil ? "null" : entry)}"#]
                } else {
                    members.append(#""decisions":{"checkout":\#(key.map { "\"\($0)\"" } ?? "null")}"#)
                }
                if content == .decisionAndReason {
                    let source = before == nil ? "bucketed" : "stored"
                    let reason = key != nil ? source : isEligible(number) ? "notBucketed" : "locationNotMatched"
                    members.append(#""reasons":{"checkout":"\#(reason)"}"#)
                }
                lines.append("{" + members.joined(separator: ",") + "}")
            }
        }

        /// Removes all lines so far, as the rotation of a log does.
        mutating func rotate() { lines = [] }

        /// The report of the log.
        func report(_ configs: Data...) throws -> SampleRatioLogReport {
            let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
            return try test.run(threads: 2, read: InputInPieces(lines.joined(separator: "\n").utf8).read)
        }
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

    // MARK: A log that begins late

    @Test(arguments: [8, 12]) func aRampBeforeTheLogBeganIsNoMismatch(version: Int) throws {
        let (before, after) = (Self.config(10, 50, version: version), Self.config(50, 50, version: version))
        var server = Server()
        try server.decide(0..<3_000, by: before, .decision)
        server.rotate()
        try server.decide(0..<6_000, by: after, .decision)
        let report = try server.report(after, before)
        let found = try #require(report.experiences.first)
        #expect(found.whole.p < SampleRatioTest.threshold && found.verdict == .notEnoughEvidence && !report.isMismatch)
        #expect(found.isExplainedByEarlierAllocation && found.brokeAt == nil)
        let count = report.uncounted.storedBefore
        #expect(found.earlierAllocationNote.contains { $0.contains("the \(count) visitors with an older") })
        #expect(report.json.contains(#""earlierAllocation":true"#))
        #expect(report.html().contains("the allocation probably changed before this log begins"))
    }

    @Test(arguments: [false, true]) func aLossIsAMismatchAlsoInALogThatBeginsLate(losesStored: Bool) throws {
        let config = Self.config(50, 50)
        var server = Server()
        try server.decide(0..<3_000, by: config, .decision)
        server.rotate()
        try server.decide(
            0..<6_000, by: config, .decision,
            isLost: { number, key, isStored in key == "b" && number % 2 == 0 && (losesStored || !isStored) })
        let found = try #require(try server.report(config).experiences.first)
        #expect(found.verdict == .mismatch && !found.isExplainedByEarlierAllocation && found.brokeAt != nil)
    }
}
