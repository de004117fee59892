@testable import ConvertAnalysis
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Decision logs over several versions of a config.
struct SampleRatioLogTests {
    private static func config(_ first: Int, _ second: Int) -> Data {
        Configs.data(
            Configs.config([
                "experiences": [
                    .object(
                        Configs.experience(
                            "checkout", id: "10",
                            [
                                "version": 12,
                                "variations": [
                                    .object(Configs.variation("1", "a", .integer(first))),
                                    .object(Configs.variation("2", "b", .integer(second))),
                                ],
                            ]))
                ]
            ]))
    }

    private static let configs = [config(90, 10), config(50, 50), config(20, 20)]

    /// A line for each visitor, decided by the config of the day. What `isLost` says never gets into the log.
    private static func log(
        _ count: Int, _ prefix: String = "v", isLost: (Int, String) -> Bool = { _, _ in false }
    ) throws -> String {
        var lines: [String] = []
        for (day, data) in configs.enumerated() {
            let manager = ExperienceManager(project: Project(try ProjectConfig(json: data)))
            let digest = try #require(try DecisionReplay.Candidate(json: data).digest)
            for number in 0..<count {
                let id = "\(prefix)\(day)-\(number)"
                var visitor = manager.visitor(id: id)
                let decision = manager.selectVariation("checkout", for: &visitor).value
                guard let key = decision.variation?.variationKey, !isLost(number, key) else { continue }
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
        let rest = Mutex(Data(log.utf8)[...])
        let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) }, options: options)
        return try test.run(
            threads: 2,
            read: { buffer in
                rest.withLock { rest in
                    let part = rest.prefix(min(buffer.count, 5_000))
                    buffer.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    return part.count
                }
            })
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

    @Test func aLossIsReportedWithDayConfigAndSegment() throws {
        // From the second day on phones lose half of the visitors of b.
        let log = try Self.log(3_000) { number, key in key == "b" && number % 4 == 0 }
        let found = try #require(try Self.report(log, by: "device").experiences.first)
        #expect(found.verdict == .mismatch && found.firstBrokenSegment == "phone")
        #expect(found.segments.first { $0.name == "desk" }?.verdict != .mismatch)
        #expect(found.brokeAt?.day == "2026-11-02")
        #expect(found.brokeAt?.config == found.configs[1].name)
    }

    @Test func aMismatchOfOneConfigIsOneOfTheExperience() throws {
        let digests = try Self.configs.map { try #require(try DecisionReplay.Candidate(json: $0).digest) }
        func lines(_ count: Int, _ config: Int, _ key: (Int) -> String) -> [String] {
            (0..<count).map { number in
                #"{"visitorId":"\#(config)-\#(number)","config":"\#(digests[config])","decisions":{"checkout":"\#(key(number))"}}"#
            }
        }
        // Half and half before; then the third config loses a third of the visitors of b.
        let log = lines(8_000, 1) { $0 % 2 == 0 ? "a" : "b" } + lines(700, 2) { $0 % 5 < 3 ? "a" : "b" }
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
        let digests = try Self.configs.map { try #require(try DecisionReplay.Candidate(json: $0).digest) }
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

    @Test func linesOfOtherConfigsAreErrors() throws {
        let report = try Self.report(try Self.log(10), [Self.configs[0]])
        #expect(report.errors > 0 && report.firstErrors.first?.error.code == .unknownConfig)
    }

    @Test func eachDayHasTheEvidenceUntilItsEnd() throws {
        let log = try Self.log(3_000) { number, key in key == "b" && number % 4 == 0 }
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
        #expect(try Self.report(lines).experiences.first?.isInOrder == false)
    }

    @Test func daysAreBounded() throws {
        var timeline = RatioTimeline()
        let kept = (0..<5_000).count { day in
            timeline.add(day: "day \(day)", config: 0, Double(day))
        }
        #expect(kept == 4_000 && timeline.evidence.count == 4_000)
    }

    @Test func aPageDrawsTheDaysAndWhereItBroke() throws {
        let log = try Self.log(3_000) { number, key in key == "b" && number % 4 == 0 }
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
