import Foundation
import Testing

struct SimulateCommandTests {
    private func simulate(_ arguments: String..., input: String = "") throws -> Tool.Run {
        try Tool.withFile(DecideCommandTests.config) { file in
            try Tool.run(["simulate", "--config", file] + arguments, input: input)
        }
    }

    @Test func generatedVisitorsAreCounted() throws {
        let run = try simulate("--generate", "500", "--seed", "3")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.hasPrefix("500 visitors, generated from seed 3\n"))
        #expect(run.output.contains("audience pro:"))
        #expect(try simulate("--generate", "500", "--seed", "3", "--threads", "3").output == run.output)
        #expect(try simulate("--generate", "500", "--seed", "4").output != run.output)
    }

    @Test func aFileIsSimulated() throws {
        let visitors = #"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n" + #"{"visitorId":"v2"}"# + "\n"
        let run = try simulate("--visitors", "-", "--json", input: visitors)
        #expect(run.status == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["visitors"] as? Int == 2)
        let experience = try #require((report["experiences"] as? [[String: Any]])?.first)
        #expect(experience["eligible"] as? Int == 1)
        #expect(experience["reasons"] as? [String: Int] == ["audienceNotMatched": 1])
        let bad = try simulate("--visitors", "-", input: visitors + "[]\n")
        #expect(bad.status == 1 && bad.errors.contains("1 records are no visitors"))
    }

    @Test func badUsageIsTold() throws {
        #expect(try simulate().errors.contains("--generate is missing"))
        #expect(try simulate("--generate", "x").errors.contains("no whole number"))
        #expect(try simulate("--generate", "9", "--seed", "-1").errors.contains("--seed"))
        #expect(try simulate("--generate", "9", "--visitors", "f").errors.contains("exclude each other"))
        #expect(try simulate("--visitors", "f", "--seed", "1").errors.contains("--seed goes with --generate"))
        #expect(try simulate("--generate", "9", "--attributes", #"{"a": 1}"#).errors.contains("attribute 'a'"))
    }
}
