@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Decision logs over several versions of a config.
struct SampleRatioLogTests {
    private static func config(_ first: Int, _ second: Int, version: Int = 12) -> Data {
        Configs.data(
            Configs.config([
                "experiences": [
                    .object(
                        Configs.experience(
                            "checkout", id: "10",
                            [
                                "version": .integer(version),
                                "variations": [
                                    .object(Configs.variation("1", "a", .integer(first))),
                                    .object(Configs.variation("2", "b", .integer(second))),
                                ],
                            ]))
                ]
            ]))
    }

    private static let configs = [config(90, 10), config(50, 50), config(20, 20)]

    /// A line for each day of each visitor, who comes every day. The SDK stores variations.
    private static func logOfVisitorsWhoReturn(_ count: Int, _ configs: [Data]) throws -> String {
        let candidates = try configs.map { try DecisionReplay.Candidate(json: $0) }
        var lines: [String] = []
        var stored = (0..<count).map { _ in VisitorState() }
        for (day, candidate) in candidates.enumerated() {
            let manager = ExperienceManager(project: Project(candidate.config))
            let digest = try #require(candidate.revision)
            for number in 0..<count {
                var visitor = manager.visitor(id: "v\(number)", state: stored[number])
                let variation = manager.selectVariation("checkout", for: &visitor).value.variation
                stored[number] = visitor.state
                let key = variation.map { "\"\($0.variationKey ?? "")\"" } ?? "null"
                let reason = variation?.source.rawValue ?? "notBucketed"
                lines.append(
                    #"{"time":"2026-11-0\#(day + 1)T10:00:00.000Z","visitorId":"v\#(number)","config":"\#(digest)","decisions":{"checkout":\#(key)},"reasons":{"checkout":"\#(reason)"}}"#
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line for each visitor, decided by the config of the day. What `isLost` says never gets into the log.
    private static func log(
        _ count: Int, _ prefix: String = "v",
        isLost: (_ day: Int, _ number: Int, _ key: String) -> Bool = { _, _, _ in false }
    ) throws -> String {
        var lines: [String] = []
        for (day, data) in configs.enumerated() {
            let manager = ExperienceManager(project: Project(try ProjectConfig(json: data)))
            let digest = try #require(try DecisionReplay.Candidate(json: data).revision)
            for number in 0..<count {
                let id = "\(prefix)\(day)-\(number)"
                var visitor = manager.visitor(id: id)
                let decision = manager.selectVariation("checkout", for: &visitor).value
                guard let key = decision.variation?.variationKey, !isLost(day, number, key) else { continue }
                let device = number % 2 == 0 ? "phone" : "desk"
                lines.append(
                    #"{"time":"2026-11-0\#(day + 1)T10:00:00.000Z","visitorId":"\#(id)","attributes":{"device":"\#(device)"},"config":"\#(digest)","decisions":{"checkout":"\#(key)"}}"#
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func report(
        _ log: String, _ configs: [Data] = configs, by attribute: String? = nil
    ) throws -> SampleRatioLogReport {
        var options = SampleRatioLog.Options()
        options.attribute = attribute
        let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) }, options: options)
        return try test.run(threads: 2, read: InputInPieces(log.utf8).read)
    }

    @Test func aRampIsNoMismatch() throws {
        let report = try Self.report(try Self.log(1_500))
        let found = try #require(report.experiences.first)
        #expect(found.verdict == .agrees && found.brokeAt == nil && !report.isMismatch)
        #expect(found.configs.count == 3 && found.days.map(\.name) == ["2026-11-01", "2026-11-02", "2026-11-03"])
        let expected = found.whole.variations.map(\.expected)
        #expect(abs(expected.reduce(0, +) - Double(found.whole.visitors)) < 1e-6)
        let sums = found.configs.map { group in group.variations.map(\.expected) }
        #expect(abs(sums[0][0] - 0.9 * Double(found.configs[0].visitors)) < 1e-6)
        #expect(abs(sums[2][0] - 0.5 * Double(found.configs[2].visitors)) < 1e-6)
        #expect(report.json.contains(#""verdict":"agrees""#))
    }

    /// Of the bucket values that were free one arm may get more than the allocation says.
    @Test(arguments: [8, 12]) func visitorsWhoHadNoVariationBeforeARampAreNotCounted(version: Int) throws {
        let configs = [Self.config(10, 50, version: version), Self.config(50, 50, version: version)]
        let report = try Self.report(try Self.logOfVisitorsWhoReturn(3_000, configs), configs)
        #expect(!report.isMismatch)
        #expect(report.uncounted.undealtBefore > 1_000)
        let found = try #require(report.experiences.first)
        #expect(found.whole.visitors + report.uncounted.undealtBefore == 3_000)
    }

    @Test func visitorsWhoHadNoVariationUnderTheSameAllocationAreCounted() throws {
        let first = Self.config(50, 50)
        let second = Data(
            String(decoding: first, as: UTF8.self).replacing("\"checkout\"", with: "\"checkout\", \"x\": 1").utf8)
        let digests = try [first, second].map { try #require(try DecisionReplay.Candidate(json: $0).revision) }
        let lines = digests.enumerated().flatMap { day, digest in
            (0..<600).map { number in
                let key = day == 0 ? "null" : number % 2 == 0 ? #""a""# : #""b""#
                return #"{"visitorId":"v\#(number)","config":"\#(digest)","decisions":{"checkout":\#(key)}}"#
            }
        }
        let report = try Self.report(lines.joined(separator: "\n"), [first, second])
        #expect(report.uncounted.undealtBefore == 0 && report.experiences.first?.whole.visitors == 600)
    }

    @Test func aLossIsReportedWithDayConfigAndSegment() throws {
        // From the second day on phones lose half of the visitors of b.
        let log = try Self.log(3_000) { day, number, key in day > 0 && key == "b" && number % 4 == 0 }
        let found = try #require(try Self.report(log, by: "device").experiences.first)
        #expect(found.verdict == .mismatch && found.firstBrokenSegment == "phone")
        #expect(found.segments.first { $0.name == "desk" }?.verdict != .mismatch)
        #expect(found.brokeAt?.day == "2026-11-02")
        #expect(found.brokeAt?.config == found.configs[1].name)
    }

    /// Lines of visitors who were decided by one config on a day of their own.
    private static func lines(
        _ count: Int, _ config: Int, device: String? = nil, _ key: (Int) -> String
    ) throws -> [String] {
        let digest = try #require(try DecisionReplay.Candidate(json: configs[config]).revision)
        let attributes = device.map { #""attributes":{"device":"\#($0)"},"# } ?? ""
        let day = #""time":"2026-11-0\#(config + 1)T10:00:00.000Z""#
        return (0..<count).map { number in
            let id = #""visitorId":"\#(device ?? "")\#(config)-\#(number)""#
            return #"{\#(day),\#(id),\#(attributes)"config":"\#(digest)","decisions":{"checkout":"\#(key(number))"}}"#
        }
    }

    @Test func theConfigThatBrokeIsNamedEvenIfALaterOneShowsIt() throws {
        // The second config loses visitors of b, and so does the third, with which the evidence suffices.
        let log =
            try Self.lines(1_000, 0) { $0 % 10 == 0 ? "b" : "a" } + Self.lines(40, 1) { $0 % 10 < 3 ? "b" : "a" }
            + Self.lines(200, 2) { $0 % 5 == 0 ? "b" : "a" }
        let report = try Self.report(log.joined(separator: "\n"))
        let found = try #require(report.experiences.first)
        let place = try #require(found.brokeAt)
        #expect(place.config == found.configs[1].name && place.day == "2026-11-02")
        #expect(place.foundConfig == found.configs[2].name && place.foundDay == "2026-11-03")
        #expect(place.line > 1_040 && place.visitors == place.line)
        #expect(place.words.hasPrefix("on 2026-11-02, under config \(place.config); found on 2026-11-03 after "))
    }

    @Test func eachSegmentThatBreaksIsNamedWithItsOwnDayAndConfig() throws {
        func half(_ number: Int) -> String { number % 2 == 0 ? "a" : "b" }
        func lost(_ number: Int) -> String { number % 10 == 0 ? "b" : "a" }
        let log =
            try Self.lines(200, 1, device: "phone", lost) + Self.lines(200, 1, device: "desk", half)
            + Self.lines(200, 2, device: "phone", lost) + Self.lines(200, 2, device: "desk", lost)
            + Self.lines(200, 2, device: "tablet", half)
        let report = try Self.report(log.joined(separator: "\n"), by: "device")
        let found = try #require(report.experiences.first)
        let breaks = Dictionary(uniqueKeysWithValues: found.segments.map { ($0.name, $0.brokeAt) })
        #expect(breaks["phone"]??.day == "2026-11-02" && breaks["phone"]??.config == found.configs[0].name)
        #expect(breaks["desk"]??.day == "2026-11-03" && breaks["desk"]??.config == found.configs[1].name)
        #expect(breaks["tablet"] == .some(nil) && found.segmentBreaks.count == 2)
        #expect(report.html().contains("visitors with device = desk: broke on 2026-11-03"))
    }

    @Test func aConfigThatDealtNoVariationIsInTheTable() throws {
        let log = try Self.lines(50, 1) { $0 % 2 == 0 ? "a" : "b" }
        let none = try Self.lines(20, 2) { _ in "a" }.map { $0.replacing(#""a"}"#, with: "null}") }
        let found = try #require(try Self.report((log + none).joined(separator: "\n")).experiences.first)
        #expect(found.configs.map(\.visitors) == [50, 0])
        #expect(found.configs[1].p == 1 && found.configs[1].verdict == .notEnoughEvidence)
        // A config of no line is not.
        #expect(try Self.report(log.joined(separator: "\n")).experiences.first?.configs.count == 1)
    }

    @Test func linesWithTheAttributeAreCounted() throws {
        let log = try Self.log(20)
        #expect(try Self.report(log, by: "device").linesWithAttribute == log.split(separator: "\n").count)
        #expect(try Self.report(log, by: "nope").linesWithAttribute == 0)
        #expect(try Self.report(log).linesWithAttribute == nil)
    }

    @Test func aMismatchOfOneConfigIsOneOfTheExperience() throws {
        let digests = try Self.configs.map { try #require(try DecisionReplay.Candidate(json: $0).revision) }
        // Half and half before; then the third config loses a third of the visitors of b.
        let log =
            try Self.lines(8_000, 1) { $0 % 2 == 0 ? "a" : "b" } + Self.lines(700, 2) { $0 % 5 < 3 ? "a" : "b" }
        let report = try Self.report(log.joined(separator: "\n"))
        let found = try #require(report.experiences.first)
        #expect(found.brokenConfigs == [digests[2]] && found.verdict == .mismatch && report.isMismatch)
        #expect(found.brokeAt?.config == digests[2])
        #expect(report.json.contains(#""brokenConfigs":["\#(digests[2])"]"#))
        #expect(report.html().contains("Visitors of \(digests[2]) alone show a mismatch."))
        // Against what all configs allocated together there is no mismatch.
        let whole = try #require(SampleRatioTest(shares: [0.5, 0.5]))
        let counts = found.whole.variations.map(\.observed)
        #expect(whole.result(for: counts, isSequential: true)?.isMismatch == false)
    }

    @Test func aVisitorCountsOnceAndCrossoversAreTold() throws {
        let digests = try Self.configs.map { try #require(try DecisionReplay.Candidate(json: $0).revision) }
        func line(_ id: String, _ key: String, _ config: Int, stored: String? = nil) -> String {
            let stored = stored.map { #","stored":{"bucketing":{"10":"\#($0)"}}"# } ?? ""
            return
                #"{"visitorId":"\#(id)"\#(stored),"config":"\#(digests[config])","decisions":{"checkout":"\#(key)"}}"#
        }
        let log = [
            line("v", "a", 0), line("v", "a", 0), line("v", "b", 1), line("w", "a", 1, stored: "1"),
            line("w", "a", 1),
        ]
        let report = try Self.report(log.joined(separator: "\n"))
        let found = try #require(report.experiences.first)
        #expect(found.whole.visitors == 1 && report.repeats == 3)
        #expect(found.crossoverCount == 1)
        #expect(
            found.crossovers.map { [$0.visitorID, $0.from, $0.to, $0.fromConfig, $0.toConfig] }
                == [["v", "a", "b", digests[0], digests[1]]])
    }

    @Test func aVariationWithAnotherIDIsTheSameToItsVisitors() throws {
        let text = try #require(String(data: Self.configs[1], encoding: .utf8))
        let configs = [
            Self.configs[1], Data(text.replacing(#""id":"2","key":"b""#, with: #""id":"3","key":"b""#).utf8),
        ]
        let lines = try configs.map { config in
            let digest = try #require(try DecisionReplay.Candidate(json: config).revision)
            return #"{"visitorId":"v","config":"\#(digest)","decisions":{"checkout":"b"}}"#
        }
        #expect(lines[0] != lines[1])
        #expect(try Self.report(lines.joined(separator: "\n"), configs).experiences.first?.crossoverCount == 0)
    }

    @Test func eachConfigThatIsNotGivenIsListedOnceWithItsLines() throws {
        let log = try Self.lines(20, 0) { _ in "a" } + Self.lines(5, 1) { _ in "a" } + Self.lines(30, 2) { _ in "a" }
        let digests = try Self.configs.map { try DecisionReplay.Candidate(json: $0).revision }
        let report = try Self.report(log.joined(separator: "\n"), [Self.configs[0]])
        #expect(report.unknownConfigs.map(\.revision) == [digests[2], digests[1]])
        #expect(report.unknownConfigs.map(\.lines) == [30, 5])
        #expect(report.hasErrors && report.errors == 0 && report.firstErrors.isEmpty)
    }

    @Test func eachDayHasTheEvidenceUntilItsEnd() throws {
        let log = try Self.log(3_000) { day, number, key in day > 0 && key == "b" && number % 4 == 0 }
        let found = try #require(try Self.report(log).experiences.first)
        let course = found.days.compactMap(\.pSoFar)
        #expect(course.count == 3 && course == course.sorted(by: >) && course.last == found.whole.p)
        // It broke on the second day, and on no day before.
        #expect(course[0] >= SampleRatioTest.threshold && course[1] < SampleRatioTest.threshold)
        #expect(found.configs.map(\.firstDay) == ["2026-11-01", "2026-11-02", "2026-11-03"])
        #expect(found.isInOrder)
    }

    @Test func aLogInAnotherOrderSaysSo() throws {
        let lines = try Self.log(100).split(separator: "\n").reversed().joined(separator: "\n")
        let report = try Self.report(lines)
        #expect(report.experiences.first?.isInOrder == false)
        #expect(report.json.contains(#""daysInOrder":false"#))
        #expect(report.html().contains("The log is not sorted by time"))
    }

    @Test func daysAreBounded() throws {
        var timeline = RatioTimeline()
        let kept = (0..<5_000).count { day in
            timeline.add(day: "day \(day)", config: 0, Double(day))
        }
        #expect(kept == 4_000 && timeline.evidence.count == 4_000)
    }

    @Test func aPageDrawsTheDaysAndWhereItBroke() throws {
        let log = try Self.log(3_000) { day, number, key in day > 0 && key == "b" && number % 4 == 0 }
        let report = try Self.report(log, by: "device")
        let page = report.html()
        #expect(page.contains("Mismatch in 1 of 1 experiences: checkout."))
        #expect(page.contains(#"<strong class="verdict bad">Mismatch</strong>"#))
        #expect(page.contains("It broke first for visitors with device = phone."))
        #expect(page.contains(">broke 2026-11-02</text>") && page.contains(#"<line class="bound""#))
        let digest = try #require(report.experiences.first?.configs[1].name)
        #expect(
            page.contains("<li>B: config <code>\(digest)</code> from 2026-11-02 <span class=\"bad\">broke</span></li>"))
        // A line for each variation, and one for the evidence.
        #expect(page.components(separatedBy: "<polyline ").count == 4)
    }

    @Test func aHealthyLogHasNothingThatBroke() throws {
        let page = try Self.report(try Self.log(500)).html()
        #expect(page.contains("No experience shows a mismatch.") && !page.contains("broke "))
    }

    @Test func aLogWithoutTimesIsNotDrawn() throws {
        let log = try Self.log(50).replacing(/"time":"[^"]*",/, with: "")
        let page = try Self.report(log).html()
        #expect(page.contains("The log has no times") && !page.contains("<polyline"))
    }
}
