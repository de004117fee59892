import Foundation
import Testing

/// What `srm --log` says of lines that it does not count.
struct SampleRatioLogCommandTests {
    /// A config with one experience, both of whose variations carry a feature.
    private static func config(_ id: String = "301", _ key: String = "checkout", features: Int = 2) -> String {
        let variations = ["old", "new"].enumerated().map { index, name in
            let data = #"{"feature_id":"7","variables_data":{"size":"\#(index + 1)"}}"#
            let change = #"{"id":\#(index),"type":"fullStackFeature","data":\#(data)}"#
            let changes = index < features ? change : ""
            return #"{"id":"\#(id)\#(index)","key":"\#(name)","traffic_allocation":50,"changes":[\#(changes)]}"#
        }.joined(separator: ",")
        return """
            {"account_id":"1","project":{"id":"2"},
            "features":[{"id":"7","key":"flow","variables":[{"key":"size","type":"integer"}]}],
            "experiences":[{"id":"\(id)","key":"\(key)","version":12,"variations":[\(variations)]}]}
            """
    }

    /// A line of visitor `number`, with `members` after the usual ones.
    private static func line(_ number: Int, _ members: String) -> String {
        #"{"visitorId":"v\#(number)",\#(members)}"# + "\n"
    }

    private static func log(_ count: Int = 400, _ members: (Int) -> String) -> String {
        (0..<count).map { line($0, members($0)) }.joined()
    }

    private static func half(_ number: Int) -> String { number % 2 == 0 ? "old" : "new" }

    private static func decisions(_ number: Int) -> String { #""decisions":{"checkout":"\#(half(number))"}"# }

    private func run(_ log: String, _ config: String = Self.config(), _ arguments: String...) throws -> Tool.Run {
        try Tool.withFile(config) { try Tool.run(["srm", "--config", $0, "--log", "-"] + arguments, input: log) }
    }

    private func json(_ log: String, _ arguments: String...) throws -> [String: Any] {
        let run = try Tool.withFile(Self.config()) { file in
            try Tool.run(["srm", "--config", file, "--log", "-", "--json"] + arguments, input: log)
        }
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    private func run(_ log: String, configs: [String], _ arguments: String...) throws -> Tool.Run {
        try Tool.withFile(configs[0]) { first in
            try Tool.withFile(configs[1]) { second in
                try Tool.run(["srm", "--config", first, "--config", second, "--log", "-"] + arguments, input: log)
            }
        }
    }

    private func digest(_ config: String) throws -> String {
        let line = try Tool.withFile(config) {
            try Tool.run(["assign", "--config", $0, "--echo"], input: #"{"visitorId":"v"}"#).output
        }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["config"] as? String)
    }

    // MARK: What counts

    @Test func answersAboutFeaturesCountIfTheyTellTheVariation() throws {
        func features(_ size: (Int) -> Int) -> String {
            Self.log { number in
                let entry = #"{"experience":"checkout","variables":{"size":\#(size(number))}}"#
                return #""call":{"features":true},"features":{"flow":[\#(entry)]}"#
            }
        }
        let sound = try run(features { $0 % 2 + 1 })
        #expect(sound.status == 0 && sound.output.contains("checkout: 400 visitors"))
        let broken = try run(features { $0 % 10 == 0 ? 2 : 1 })
        #expect(broken.status == 1 && broken.output.contains("mismatch"))
        // Visitors of the other variation have no feature, so that the log does not show them.
        let untold = try run(features { _ in 1 }, Self.config(features: 1))
        #expect(untold.status == 2 && untold.output.contains("400 answers about features do not tell the variation"))
    }

    @Test func visitorsWithPseudonymsCount() throws {
        let log = Self.log { #""buckets":{"checkout":\#($0)},"withheld":["email"],\#(Self.decisions($0))"# }
        let run = try run(log)
        #expect(run.status == 0 && run.output.contains("checkout: 400 visitors"))
    }

    @Test func anEarlierKeyNamesTheExperienceThatHadIt() throws {
        let configs = [Self.config(), Self.config("301", "purchase")]
        let digest = try digest(configs[0])
        let run = try run(
            Self.log { #""config":"\#(digest)",\#(Self.decisions($0))"# }, configs: configs, "-e", "checkout")
        #expect(run.status == 0 && run.output.contains("purchase: 400 visitors"))
    }

    @Test func experiencesWithOneKeyAreToldApartByTheirIDs() throws {
        let configs = [Self.config(), Self.config("302")]
        let digests = try configs.map(digest)
        let log = Self.log { #""config":"\#(digests[$0 / 200])",\#(Self.decisions($0))"# }
        let output = try run(log, configs: configs).output
        #expect(
            output.contains("checkout (id 301): 200 visitors") && output.contains("checkout (id 302): 200 visitors"))
    }

    // MARK: What does not count

    @Test func aLogOfWhichNothingCountsIsRefusedWithTheReasons() throws {
        let none = try run(Self.log(5) { _ in #""decisions":{"checkout":null}"# })
        #expect(none.status == 2 && none.output.contains("5 decisions have no variation"))
        #expect(none.errors.contains("nothing was tested: no visitor of the log was counted"))
        let other = try run(Self.log(5) { _ in #""decisions":{}"# })
        #expect(other.status == 2 && other.output.contains("5 lines have no decision on a tested experience"))
        let forced = try run(Self.log(5) { #""call":{"forcedVariation":"old"},\#(Self.decisions($0))"# })
        #expect(forced.status == 2 && forced.output.contains("5 decisions were forced or previewed"))
        #expect(try json(Self.log(5) { _ in #""decisions":{}"# })["mismatch"] is NSNull)
    }

    @Test func variationsThatTheConfigDoesNotHaveAreNoAgreement() throws {
        let log = Self.log { $0 % 6 == 0 ? #""decisions":{"checkout":"purple"}"# : Self.decisions($0 / 6) }
        let run = try run(log)
        #expect(
            run.status == 1 && run.output.contains("67 decisions have a variation that the line's config does not give")
        )
        let experiences = try #require(try json(log)["experiences"] as? [[String: Any]])
        #expect(experiences.first?["verdict"] as? String == "notEnoughEvidence")
        #expect((experiences.first?["uncounted"] as? [String: Any])?["unknownVariations"] as? Int == 67)
    }

    @Test func visitorsWithEarlierVariationsAreCountedApart() throws {
        let stored = Self.log { #""stored":{"bucketing":{"301":"3010"}},\#(Self.decisions($0))"# }
        let output = try run(stored + (1_000..<1_400).map { Self.line($0, Self.decisions($0)) }.joined()).output
        #expect(output.contains("checkout: 400 visitors"))
        #expect(
            output.contains("400 visitors already had a stored variation in their first line, and are not counted"))
    }

    @Test func aDifferenceThatEarlierVisitorsMayExplainFails() throws {
        let assigned = Self.log { #""decisions":{"checkout":"\#($0 % 4 == 0 ? "new" : "old")"}"# }
        let stored = (1_000..<1_200).map { number in
            let members = #""buckets":{"checkout":9000},"withheld":["email"],"decisions":{"checkout":"new"}"#
            return Self.line(number, #""stored":{"bucketing":{"301":"3011"}},\#(members)"#)
        }
        let log = assigned + stored.joined()
        let run = try run(log)
        #expect(run.status == 1 && run.output.contains("lines of first visits are missing"))
        let experience = try #require((try json(log)["experiences"] as? [[String: Any]])?.first)
        #expect(experience["earlierAllocation"] as? String == "possible")
        #expect(experience["verdict"] as? String == "notEnoughEvidence")
    }

    @Test func configsThatAreNotGivenAreListedOnce() throws {
        let run = try run(Self.log { #""config":"\#($0 % 4 == 0 ? "beef" : "cafe")",\#(Self.decisions($0))"# })
        #expect(run.status == 2)
        #expect(
            run.output.contains("300 lines name the config cafe, which was not given\n100 lines name the config beef"))
        #expect(!run.errors.contains("line 1"))
    }

    // MARK: Times

    @Test func daysAreThoseOfUTC() throws {
        let days = try json(
            Self.line(1, #""time":"2026-11-03T23:30:00-05:00",\#(Self.decisions(1))"#)
                + Self.line(2, #""time":"2026-11-04T01:00:00.5+02:00",\#(Self.decisions(2))"#))
        let experience = try #require((days["experiences"] as? [[String: Any]])?.first)
        #expect(
            (experience["days"] as? [[String: Any]])?.map { $0["name"] as? String } == ["2026-11-03", "2026-11-04"])
    }

    @Test(arguments: [
        "1793400000", #""gestern""#, #""2026-11-02 10:00:00""#, #""2026-11-31T10:00:00Z""#, #""2026-11-02T10:00:00.Z""#,
        #""2026-11-02T10:00:00+0100""#, #""2026-11-02T24:00:00Z""#, #""""#,
    ]) func unusableTimesAreCounted(time: String) throws {
        let log = Self.log(3) { #""time":\#(time),\#(Self.decisions($0))"# }
        #expect(try run(log).output.contains("3 lines have no time such as"))
        let experience = try #require((try json(log)["experiences"] as? [[String: Any]])?.first)
        #expect((experience["days"] as? [Any])?.isEmpty == true && experience["visitors"] as? Int == 3)
    }

    @Test func linesOutOfOrderAreCounted() throws {
        func log(_ seconds: [Int]) -> String {
            seconds.enumerated().map { index, second in
                let time = "2026-11-02T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
                return Self.line(index, #""time":"\#(time)",\#(Self.decisions(index))"#)
            }.joined()
        }
        #expect(try run(log([0, 200, 100, 139, 140, 201])).output.contains("2 lines are more than a minute earlier"))
        #expect(try !run(log([0, 70, 10, 70])).output.contains("earlier"))
    }

    @Test func configsAreInTheOrderOfTheirFirstUse() throws {
        let configs = [Self.config(), Self.config(features: 0)]
        let digests = try configs.map(digest)
        let log = Self.log { number in
            let day = number < 200 ? 3 : 2
            return
                #""time":"2026-11-0\#(day)T10:00:00Z","config":"\#(digests[number / 200])",\#(Self.decisions(number))"#
        }
        let output = try run(log, configs: configs).output
        let places = try digests.map { try #require(output.range(of: "  \($0)")).lowerBound }
        #expect(places[1] < places[0] && output.contains("200 lines are more than a minute earlier"))
    }

    @Test func daysInAnotherOrderAreSaid() throws {
        let log = [3, 2].map { Self.line($0, #""time":"2026-11-0\#($0)T10:00:00Z",\#(Self.decisions($0))"#) }.joined()
        #expect(try run(log).output.contains("  The log is not sorted by time"))
        let experience = try #require((try json(log)["experiences"] as? [[String: Any]])?.first)
        #expect(experience["daysInOrder"] as? Bool == false)
    }

    // MARK: Words

    @Test func tablesHaveTheVerdictsInWords() throws {
        let log = Self.log { #""attributes":{"device":"phone"},\#(Self.decisions($0))"# }
        let output = try run(log, Self.config(), "--by", "device").output
        let row = try #require(output.split(separator: "\n").first { $0.hasPrefix("  phone") })
        #expect(row.contains("as allocated") && !output.contains("agrees"))
    }

    @Test func oneOfAKindIsSingular() throws {
        let log = Self.line(1, #""time":"noon",\#(Self.decisions(1))"#)
        let output = try run(log).output
        #expect(output.contains("checkout: 1 visitor, p") && output.contains("\n1 line\n"))
        #expect(output.contains("\n1 line has no time such as"))
    }

    // MARK: Attributes

    @Test func withheldAttributesAreNamedSo() throws {
        let withheld = Self.log { #""withheld":["country"],\#(Self.decisions($0))"# }
        let refused = try run(withheld, Self.config(), "--by", "country")
        #expect(refused.status == 2 && refused.errors.contains("has the attribute 'country'; 400 lines withhold it"))
        let known = (1_000..<1_010).map { Self.line($0, #""attributes":{"country":""},\#(Self.decisions($0))"#) }
            .joined()
        let output = try run(withheld + known, Self.config(), "--by", "country").output
        #expect(output.contains("  (withheld)") && output.contains(#"  """#) && output.contains("400 lines withhold"))
    }

    @Test func aPathNamesAMemberOfAnAttribute() throws {
        let log = Self.log { #""attributes":{"device":{"os":"ios"}},\#(Self.decisions($0))"# }
        #expect(try run(log, Self.config(), "--by", "device.os").output.contains("  ios"))
        #expect(try run(log, Self.config(), "--by", "device.version").status == 2)
    }
}
