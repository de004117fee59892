@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

/// Since when, and which, visitors have no variation.
struct UndealtVisitorsTests {
    private static let config = Configs.data(
        Configs.config([
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "variations": [
                                .object(Configs.variation("1", "a", .integer(50))),
                                .object(Configs.variation("2", "b", .integer(50))),
                            ]
                        ]))
            ]
        ]))

    /// A log of six days with 400 visitors each, a line each, of whom every third has no variation.
    private static func log(
        lines: Int = 1, country: (_ day: Int, _ number: Int) -> String = { _, number in number % 4 == 0 ? "de" : "fr" },
        isLost: (_ day: Int, _ country: String) -> Bool = { _, _ in false }
    ) throws -> String {
        let digest = try #require(try DecisionReplay.Candidate(json: config).revision)
        return (0..<6).flatMap { day in
            (0..<400).flatMap { number in
                let country = country(day, number)
                let hasNone = number % 3 == 0 || isLost(day, country)
                let key = hasNone ? "null" : number % 2 == 0 ? #""a""# : #""b""#
                let line =
                    #"{"time":"2026-11-0\#(day + 1)T10:00:00Z","visitorId":"d\#(day)-\#(number)","#
                    + #""attributes":{"country":"\#(country)"},"config":"\#(digest)","#
                    + #""decisions":{"checkout":\#(key)}}"#
                return repeatElement(line, count: lines)
            }
        }.joined(separator: "\n")
    }

    private static func report(_ log: String, by attribute: String? = "country") throws -> SampleRatioLogReport {
        var options = SampleRatioLog.Options()
        options.attribute = attribute
        return try SampleRatioLog([try DecisionReplay.Candidate(json: config)], options: options)
            .run(threads: 2, read: InputInPieces(log.utf8).read)
    }

    private static func undealt(_ log: String, by attribute: String? = "country") throws -> SampleRatioLogReport.Rate {
        try #require(try report(log, by: attribute).experiences.first).undealt
    }

    @Test func theDayAndTheValueThatGetNothingAreNamed() throws {
        let report = try Self.report(try Self.log(isLost: { day, country in day > 2 && country == "de" }))
        let found = try #require(report.experiences.first)
        #expect(found.undealt.change?.day == "2026-11-04")
        #expect(found.undealt.segments.filter { $0.change != nil }.map(\.name) == ["de"])
        #expect(found.undealt.segments.last?.change?.rate == 1)
        #expect(found.rateChanges.last?.visitors == "visitors with country = de")
        let words = "visitors with country = de: from 2026-11-04 on 100.0 %, before 34.0 %"
        #expect(report.html().contains(words))
        #expect(report.json.contains(#""change":{"day":"2026-11-04","course":"since","newValue":false"#))
    }

    @Test func aValueThatCameWithTheChangeIsComparedWithAllVisitorsBefore() throws {
        let log = try Self.log(
            country: { day, number in number % 4 != 0 ? "fr" : day > 2 ? "DE" : "de" },
            isLost: { _, country in country == "DE" })
        let new = try #require(try Self.undealt(log).segments.first { $0.name == "DE" }?.change)
        #expect(new.isNewValue && new.day == "2026-11-04" && new.rate == 1)
        #expect(new.words.hasPrefix("new on 2026-11-04, 100.0 % since then; all visitors before 33."))
    }

    @Test func aChangeWithinADayIsSaidOfThatDay() {
        let days = [100, 100, 180, 300, 300].enumerated().map { day, undealt in
            SampleRatioLogReport.Rate(name: "2026-11-0\(day + 1)", visitors: 300, undealt: undealt)
        }
        let change = RateChange.find(days, among: days, times: 1)
        #expect(change?.day == "2026-11-03" && change?.course == .during && change?.rate == 1)
        #expect(change?.words == "began during 2026-11-03; after it 100.0 %, before 33.3 %")
    }

    @Test func aRateThatLastsOneDayIsSaidOfThatDay() throws {
        let change = try #require(try Self.undealt(try Self.log(isLost: { day, _ in day == 3 })).change)
        #expect(change.day == "2026-11-04" && change.course == .oneDay && change.rate == 1)
    }

    @Test func aSteadyRateDoesNotChange() throws {
        let found = try Self.undealt(try Self.log())
        #expect(found.change == nil && found.segments.allSatisfy { $0.change == nil })
        #expect(found.days.map(\.visitors) == Array(repeating: 400, count: 6) && found.undealt == 6 * 134)
    }

    @Test func aVisitorCountsOnceADay() throws {
        #expect(try Self.undealt(try Self.log(lines: 3)) == Self.undealt(try Self.log()))
    }

    // MARK: More visitors than there is memory for

    /// The report of a log with three visitors of four without a variation each day; `isBack` says which of them come
    /// every day.
    private static func crowdedReport(
        days: Int, lines: Int = 1, isBack: (_ number: Int) -> Bool = { _ in false }
    ) throws -> SampleRatioLogReport {
        let log = (0..<days).flatMap { day in
            (0..<400).flatMap { number in
                let id = isBack(number) ? "\(number)" : "d\(day)-\(number)"
                let key = number % 4 == 0 ? #""a""# : "null"
                let line =
                    #"{"time":"2026-11-0\#(day + 1)T10:00:00Z","visitorId":"\#(id)","#
                    + #""decisions":{"checkout":\#(key)}}"#
                return repeatElement(line, count: lines)
            }
        }.joined(separator: "\n")
        var options = SampleRatioLog.Options()
        options.mostVisitors = 150
        return try SampleRatioLog([try DecisionReplay.Candidate(json: config)], options: options)
            .run(threads: 1, read: InputInPieces(log.utf8).read)
    }

    @Test func noVisitorCountsTwiceADayIfThereAreTooMany() throws {
        let report = try Self.crowdedReport(days: 1, lines: 3)
        let found = try #require(report.experiences.first).undealt
        #expect(found.visitors > 50 && found.visitors < 200)
    }

    @Test func theReportSaysThatOnlySomeVisitorsCountInRates() throws {
        let report = try Self.crowdedReport(days: 1)
        // The 100 visitors with a variation are all recognized.
        #expect(report.experiences.first?.whole.visitors == 100 && !report.recognizesAllVisitors)
        #expect(report.html().contains("a random part of the visitors"))
    }

    @Test func aSteadyRateDoesNotChangeIfThereAreTooManyVisitors() throws {
        // The visitors that come every day have no variation, and fill the memory first.
        let found = try #require(try Self.crowdedReport(days: 6) { $0 % 4 != 0 && $0 < 200 }.experiences.first).undealt
        #expect(found.change == nil)
        #expect(abs(Double(found.undealt) / Double(found.visitors) - 0.75) < 0.05)
        #expect(found.days.allSatisfy { $0.visitors >= 20 && $0.visitors <= 400 })
    }

    /// Every look at 300 logs of 12 days without a change, with random rates.
    @Test func aSteadyRateSeldomLooksChanged() {
        var generator = SplitMix64(seed: 7)
        var found = 0
        for _ in 0..<300 {
            let rate = Double.random(in: 0.02...0.98, using: &generator)
            let days = (0..<12).map { day in
                let undealt = (0..<150).count { _ in Double.random(in: 0..<1, using: &generator) < rate }
                return SampleRatioLogReport.Rate(name: "\(100 + day)", visitors: 150, undealt: undealt)
            }
            let looks = (2...12).map { Array(days.prefix($0)) }
            if looks.contains(where: { RateChange.find($0, among: $0, times: 1) != nil }) { found += 1 }
        }
        #expect(found <= 2)
    }
}
