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

    @Test func aLineThatIsNotOfALogIsReported() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let run = try Tool.run("replay", "-", "--config", config, input: #"{"visitorId":"v1"}"# + "\n")
            #expect(run.status == 1)
            #expect(run.errors.contains("line 1: $.decisions: it is missing"))
            #expect(run.errors.contains("1 of 1 lines are none of a log"))
        }
    }

    @Test func aLineOfALogIsDecidedAgain() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let visitors = #"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n"
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            let run = try Tool.run("decide", "--config", config, "--log-line", "-", "--explain", input: log)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("LOGGED") && run.output.contains("original"))
            let other = DecideCommandTests.config.replacing(#""value": "pro""#, with: #""value": "free""#)
            try Tool.withFile(other) { other in
                let changed = try Tool.run("decide", "--config", other, "--log-line", log)
                #expect(changed.status == 1 && changed.output.contains("original (differs)"))
                #expect(changed.errors.contains("was decided with the config"))
                let withheld = log.replacing(#""environment""#, with: #""withheld":["plan"],"environment""#)
                #expect(try Tool.run("decide", "--config", other, "--log-line", withheld).status == 0)
                let replayed = try Tool.run("replay", "-", "--config", other, input: withheld)
                #expect(replayed.status == 0 && replayed.errors.contains("1 cannot be known"))
            }
            #expect(try Tool.run("decide", "--config", config, "--log-line", log + log).status == 2)
            #expect(try Tool.run("decide", "--config", config, "--log-line", log, "--visitor", "x").status == 2)
        }
    }

    @Test func aReplayIsSummarizedAndNarrowed() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let visitors = (0..<4).map { #"{"visitorId":"v\#($0)","attributes":{"plan":"pro"}}"# + "\n" }.joined()
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            let other = DecideCommandTests.config.replacing(#""value": "pro""#, with: #""value": "free""#)
            try Tool.withFile(other) { other in
                let summary = try Tool.run("replay", "-", "--config", other, "--summary", input: log)
                #expect(summary.status == 1 && summary.output.contains("audienceNotMatched"))
                let json = try Tool.run("replay", "-", "--config", other, "--json", input: log).output
                #expect(json.contains(#""decisions":4,"differences":4"#), "\(json)")
                let one = try Tool.run("replay", "-", "--config", other, "--json", "--visitor", "v2", input: log).output
                #expect(one.contains(#""decisions":1,"differences":1"#), "\(one)")
                let explained = try Tool.run(
                    "replay", "-", "--config", other, "--visitor", "v2", "--explain", input: log)
                #expect(explained.status == 1 && explained.output.contains("(differs)"))
                #expect(try Tool.run("replay", "-", "--config", other, "--explain", input: log).status == 2)
                #expect(try Tool.run("replay", "-", "--config", other, "--experience", "x", input: log).status == 2)
            }
        }
    }
}
