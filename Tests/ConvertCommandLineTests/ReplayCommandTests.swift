import Foundation
import Testing

struct ReplayCommandTests {
    @Test func aLogOfAssignIsReplayed() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let visitors = #"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n" + #"{"visitorId":"v2"}"# + "\n"
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            let line = try #require(log.split(separator: "\n").first)
            #expect(line.hasPrefix(#"{"visitorId":"v1","attributes":{"plan":"pro"},"config":""#))
            #expect(
                line.hasSuffix(#""environment":"staging","call":{"each":true},"decisions":{"checkout":"original"}}"#))
            let same = try Tool.run("replay", "-", "--config", config, input: log)
            #expect(same.status == 0 && same.output.isEmpty)
            #expect(same.complaints == ["convert-sdk: 0 of 2 decisions come out otherwise"])
            // Another config lets others in.
            let other = DecideCommandTests.config.replacing(#""value": "pro""#, with: #""value": "free""#)
            let changed = try Tool.withFile(other) { try Tool.run("replay", "-", "--config", $0, input: log) }
            #expect(changed.status == 1)
            #expect(changed.errors.contains("2 lines name another config than the one that is given"))
            #expect(
                changed.output
                    == #"{"visitorId":"v1","experience":"checkout","logged":"original","found":null,"reason":"audienceNotMatched"}"#
                    + "\n")
        }
    }

    @Test func aLineThatIsNoneOfALogIsTold() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let run = try Tool.run("replay", "-", "--config", config, input: #"{"visitorId":"v1"}"# + "\n")
            #expect(run.status == 1)
            #expect(run.errors.contains("line 1: $.decisions: it is missing"))
            #expect(run.errors.contains("1 of 1 lines are none of a log"))
        }
    }
}
