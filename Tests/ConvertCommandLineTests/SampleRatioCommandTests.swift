import Foundation
import Testing

struct SampleRatioCommandTests {
    private static let config = """
        {"account_id":"1","project":{"id":"2"},"experiences":[{"id":"9","key":"checkout","version":12,"variations":[
        {"id":"91","key":"original","traffic_allocation":30},{"id":"92","key":"green","traffic_allocation":30},
        {"id":"93","key":"old","traffic_allocation":30,"status":"stopped"}]}]}
        """

    private func test(_ counts: String, _ arguments: String...) throws -> Tool.Run {
        try Tool.withFile(Self.config) { file in
            try Tool.run(["srm", "--config", file, "--experience", "checkout", "--counts", counts] + arguments)
        }
    }

    private func json(_ run: Tool.Run) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func soundCountsAgree() throws {
        let run = try test(#"{"original": 5012, "green": 4988}"#)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.contains("the counts agree with the config's shares"))
        #expect(run.output.contains("50.00 %"))
    }

    @Test func aMismatchIsReportedWithItsCauses() throws {
        let run = try test(#"{"original": 5300, "green": 4700}"#)
        #expect(run.status == 1)
        #expect(run.output.contains("mismatch") && run.output.contains("What usually causes it:"))
    }

    @Test func countsAreNamedByKeyOrID() throws {
        let byKey = try test(#"{"original": 5000, "green": 5250}"#, "--json")
        #expect(byKey.status == 0)
        #expect(try test(#"{"91": 5000, "92": 5250}"#, "--json").output == byKey.output)
        let answer = try json(byKey)
        #expect(answer["degreesOfFreedom"] as? Int == 1)
        #expect(answer["mismatch"] as? Bool == false)
        #expect(try abs(#require(answer["chiSquare"] as? Double) - 6.097560975609756) < 1e-12)
        #expect(try abs(#require(answer["p"] as? Double) - 0.013536859346243508) < 1e-12)
        let variations = try #require(answer["variations"] as? [[String: Any]])
        #expect(variations.map { $0["expected"] as? Double } == [5125, 5125, 0])
        #expect(variations.map { $0["observed"] as? Int } == [5000, 5250, 0])
        #expect(variations.map { $0["key"] as? String } == ["original", "green", "old"])
    }

    @Test func theSequentialTestAsksForMore() throws {
        let counts = #"{"original": 50800, "green": 49200}"#
        #expect(try json(try test(counts, "--json"))["mismatch"] as? Bool == true)
        let answer = try json(try test(counts, "--json", "--sequential"))
        #expect(answer["method"] as? String == "sequential")
        #expect(try #require(answer["p"] as? Double) > 0)
    }

    @Test func theVerdictHasThreeAnswers() throws {
        func verdict(_ counts: String, _ arguments: String...) throws -> String? {
            try Tool.withFile(Self.config) { file in
                let words = ["srm", "--config", file, "--experience", "checkout", "--counts", counts, "--json"]
                return try json(try Tool.run(words + arguments))["verdict"] as? String
            }
        }
        #expect(try verdict(#"{"original": 5012, "green": 4988}"#) == "agrees")
        #expect(try verdict(#"{"original": 5000, "green": 5250}"#) == "notEnoughEvidence")
        #expect(try verdict(#"{"original": 300, "green": 0}"#, "--sequential") == "mismatch")
        #expect(try verdict(#"{"original": 5020000, "green": 4980000}"#, "--min-difference", "0.5%") == "agrees")
        let text = try test(#"{"original": 5020000, "green": 4980000}"#, "--min-difference", "0.7%").output
        #expect(text.contains("but for differences below 0.7 %\n"))
        #expect(try test(#"{"original": 1}"#, "--min-difference", "2").errors.contains("is not a share"))
    }

    @Test func aLogIsTestedAgainstItsConfigs() throws {
        try Tool.withFile(Self.config) { config in
            let visitors = (0..<400).map { #"{"visitorId":"v\#($0)"}"# + "\n" }.joined()
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            let run = try Tool.run("srm", "--config", config, "--log", "-", input: log)
            #expect(run.status == 0 && run.output.contains("checkout") && run.output.contains("as allocated"))
            let lost = log.split(separator: "\n").filter { !$0.contains("green") }.joined(separator: "\n")
            let broken = try Tool.run("srm", "--config", config, "--log", "-", "--json", input: lost)
            #expect(broken.status == 1)
            let experiences = try #require(try json(broken)["experiences"] as? [[String: Any]])
            #expect(experiences.first?["verdict"] as? String == "mismatch")
            #expect((experiences.first?["brokeAt"] as? [String: Any])?["visitors"] as? Int == 23)
            #expect(try Tool.run("srm", "--config", config, "--log", "-", "--counts", "{}").status == 2)
            let counts = [
                "srm", "--config", config, "--experience", "checkout", "--counts", "{}", "--html", "page.html",
            ]
            #expect(try Tool.run(counts).errors.contains("--html goes with --log"))
            #expect(try Tool.run("srm", "--config", config).errors.contains("--counts is missing"))
        }
    }

    @Test func anAttributeOfNoLineIsRefused() throws {
        try Tool.withFile(Self.config) { config in
            let visitors = (0..<20).map { #"{"visitorId":"v\#($0)","attributes":{"device":"phone"}}"# + "\n" }.joined()
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            let run = try Tool.run("srm", "--config", config, "--log", "-", "--by", "nope", input: log)
            #expect(run.status == 2 && run.errors.contains("--by: no line of the log has the attribute 'nope'"))
            let known = try Tool.run("srm", "--config", config, "--log", "-", "--by", "device", input: log)
            #expect(known.status == 0 && known.output.contains("phone"))
        }
    }

    @Test func visitorsAreToldApartByMembersAndLocationProperties() throws {
        try Tool.withFile(Self.config) { config in
            let visitors = (0..<20).map {
                #"{"visitorId":"v\#($0)","attributes":{"at":{"city":"Graz"}},"locationProperties":{"page":"home"}}"#
                    + "\n"
            }.joined()
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            for (name, value) in [("at.city", "Graz"), ("locationProperties.page", "home")] {
                let run = try Tool.run("srm", "--config", config, "--log", "-", "--by", name, input: log)
                #expect(run.status == 0 && run.output.contains(value), "\(run.output) \(run.errors)")
            }
            let none = try Tool.run("srm", "--config", config, "--log", "-", "--by", "city", input: log)
            #expect(none.status == 2 && none.errors.contains("locationProperties.NAME"))
        }
    }

    @Test func countsMayBeAsLargeAsNumbersOfJavaScriptAre() throws {
        let largest = try test(#"{"original": 9007199254740992, "green": 9007199254740992}"#, "--sequential", "--json")
        #expect(try json(largest)["p"] as? Double == 1 && largest.status == 0)
        let far = try test(#"{"original": 4500000000000000, "green": 4600000000000000}"#, "--sequential", "--json")
        #expect(try json(far)["verdict"] as? String == "mismatch")
    }

    @Test func visitorsWithoutTrafficAreAMismatch() throws {
        let run = try test(#"{"original": 50, "green": 50, "old": 1}"#, "--json")
        #expect(run.status == 1)
        #expect(try json(run)["chiSquare"] is NSNull)
        #expect(run.output.contains("'old' takes no traffic"))
    }

    @Test func badCountsAreTold() throws {
        #expect(try test(#"{"original": 1, "gren": 2}"#).errors.contains("did you mean 'green'?"))
        for count in ["1.5", "-9223372036854775808", "1e18"] {
            #expect(try test(#"{"original": \#(count)}"#).errors.contains("not a whole number of at most 2^53"))
        }
        #expect(try test(#"{"original": -1}"#).errors.contains("negative"))
        #expect(try test(#"{"original": 1, "91": 1}"#).errors.contains("two counts"))
        #expect(try test(#"{"original": 1, "green": 1, "original": 2}"#).errors.contains("'original' has two counts"))
        #expect(try test("[]").errors.contains("not a JSON object"))
        #expect(try test("{}").errors.contains("nothing to test"))
        #expect(try test("{").errors.contains("cannot be read"))
        let unknown = try Tool.withFile(Self.config) { file in
            try Tool.run("srm", "--config", file, "--experience", "chekout", "--counts", "{}")
        }
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'checkout'?"))
    }
}
