@testable import ConvertAnalysis
import Foundation
import Testing

/// Logs that begin after the experience: with visitors from before, or without the lines of first visits.
struct LateLogTests {
    private static let even = RatioLogServer.config(50, 50)

    /// The lines that a defect loses: those of first visits of every other visitor with `b`.
    private static func isLost(_ number: Int, _ key: String, _ isStored: Bool) -> Bool {
        key == "b" && number % 2 == 0 && !isStored
    }

    private static func found(_ server: RatioLogServer, _ config: Data) throws -> SampleRatioLogReport.Experience {
        try #require(try server.report(config).experiences.first)
    }

    // MARK: Ramps

    @Test(arguments: [8, 12]) func aRampBeforeTheLogBeganIsNoMismatch(version: Int) throws {
        let before = RatioLogServer.config(10, 50, version: version)
        let after = RatioLogServer.config(50, 50, version: version)
        var server = RatioLogServer()
        try server.decide(0..<3_000, by: before)
        server.rotate()
        try server.decide(0..<6_000, by: after)
        let report = try server.report(after, before)
        let found = try #require(report.experiences.first)
        #expect(found.whole.p < SampleRatioTest.threshold && found.verdict == .notEnoughEvidence && !report.isMismatch)
        #expect(found.earlierAllocation == .evident && found.brokeAt == nil && !report.isDoubtful)
        let count = report.uncounted.storedBefore
        #expect(found.earlierAllocationNote.contains { $0.contains("the \(count) visitors with an older") })
        #expect(report.json.contains(#""earlierAllocation":"evident""#))
        #expect(report.html().contains("the allocation changed before this log begins"))
    }

    @Test func aRampToAllVisitorsInAPackedLayoutIsEvident() throws {
        var server = RatioLogServer()
        try server.decide(0..<3_000, by: RatioLogServer.config(10, 10, version: 8))
        server.rotate()
        let after = RatioLogServer.config(50, 50, version: 8)
        try server.decide(0..<6_000, by: after)
        let found = try Self.found(server, after)
        #expect(found.whole.p < SampleRatioTest.threshold && found.earlierAllocation == .evident)
    }

    @Test func theFirstVisitorsOfAVariationBeforeTheLogLeaveItInDoubt() throws {
        var server = RatioLogServer()
        try server.decide(0..<2_000, by: RatioLogServer.config(0, 50))
        server.rotate()
        try server.decide(0..<4_000, by: Self.even)
        let report = try server.report(Self.even)
        let found = try #require(report.experiences.first)
        #expect(found.earlierAllocation == .possible && found.verdict == .notEnoughEvidence)
        #expect(report.isDoubtful && !report.isMismatch && found.brokeAt == nil)
        #expect(found.earlierAllocationNote.contains("The log does not show which."))
        #expect(report.json.contains(#""earlierAllocation":"possible""#))
        #expect(report.html().contains("The log does not show whether these experiences are sound: checkout."))
    }

    @Test func visitorsWhoReturnLateAfterARampAreNoMismatch() throws {
        var server = RatioLogServer()
        try server.decide(0..<3_000, by: RatioLogServer.config(10, 50))
        server.rotate()
        // A campaign brings new visitors at first, and a newsletter those from before the ramp later.
        for visitors in [3_000..<5_000, 5_000..<5_200, 0..<3_000] { try server.decide(visitors, by: Self.even) }
        let found = try Self.found(server, Self.even)
        #expect(found.whole.p < SampleRatioTest.threshold && found.earlierAllocation == .evident)
    }

    // MARK: Losses

    @Test(arguments: [false, true]) func aLossIsAMismatchAlsoInALogThatBeginsLate(losesStored: Bool) throws {
        var server = RatioLogServer()
        try server.decide(0..<3_000, by: Self.even)
        server.rotate()
        try server.decide(
            0..<6_000, by: Self.even,
            isLost: { number, key, isStored in key == "b" && number % 2 == 0 && (losesStored || !isStored) })
        let found = try Self.found(server, Self.even)
        #expect(found.verdict == .mismatch && found.earlierAllocation == nil && found.brokeAt != nil)
    }

    @Test func visitorsWhoReturnAfterALostFirstLineAreAMismatch() throws {
        var server = RatioLogServer()
        for day in 0..<4 {
            try server.decide(day * 500..<(day + 1) * 500, by: Self.even, isLost: Self.isLost)
            guard day > 0 else { continue }
            try server.decide((day - 1) * 500..<day * 500, by: Self.even, isSameDay: true)
        }
        // All visitors have returned.
        try server.decide(1_500..<2_000, by: Self.even)
        let report = try server.report(Self.even)
        let found = try #require(report.experiences.first)
        #expect(found.earlierAllocation == .refuted && found.verdict == .mismatch && found.brokeAt != nil)
        #expect(found.earlierAllocationNote.contains("Lines of first visits are probably missing."))
        #expect(report.json.contains(#""earlierAllocation":"refuted""#))
        #expect(report.html().contains("Lines of first visits are probably missing."))
    }

    @Test func anOutageOfOneDayIsAMismatchAlthoughItsVisitorsReturn() throws {
        var server = RatioLogServer()
        for (day, visitors) in [0..<200, 200..<400, 400..<800, 800..<1_000, 1_000..<1_200].enumerated() {
            try server.decide(visitors, by: Self.even, isLost: { day == 2 && $1 == "b" && !$2 })
        }
        try server.decide(400..<800, by: Self.even)
        let found = try Self.found(server, Self.even)
        #expect(found.earlierAllocation == .refuted && found.verdict == .mismatch)
    }

    @Test func aLossWhoseVisitorsReturnOnTheSameDayLeavesTheLogInDoubt() throws {
        var server = RatioLogServer()
        try server.decide(0..<2_000, by: Self.even, isLost: Self.isLost)
        try server.decide(0..<2_000, by: Self.even, isSameDay: true)
        let found = try Self.found(server, Self.even)
        #expect(found.earlierAllocation == .possible && found.verdict == .notEnoughEvidence)
    }
}
