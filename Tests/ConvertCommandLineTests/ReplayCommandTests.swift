import ConvertTestSupport
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
            #expect(same.complaints == ["convert-sdk: 0 of 2 decisions differ"])
            // Another config lets others in.
            let other = DecideCommandTests.config.replacing(#""value": "pro""#, with: #""value": "free""#)
            let changed = try Tool.withFile(other) { try Tool.run("replay", "-", "--config", $0, input: log) }
            #expect(changed.status == 1)
            #expect(changed.errors.contains("2 lines name another config than the given one"))
            #expect(
                changed.output
                    == #"{"line":1,"visitorId":"v1","experience":"checkout","logged":"original","found":null,"reason":"audienceNotMatched"}"#
                    + "\n")
        }
    }

    @Test func aDifferenceHasTheNumberAndTheTimeOfItsLine() throws {
        let same = #"{"visitorId":"v2","decisions":{"checkout":null}}"# + "\n"
        let other = #"{"time":"2026-11-27T10:00:00Z","visitorId":"v1","decisions":{"checkout":"green"}}"# + "\n"
        try Tool.withFile(DecideCommandTests.config) { config in
            // More than one part of a log.
            let count = inputSize(40_000, plain: 12_000)
            let log = "\n" + String(repeating: same, count: count) + other
            let run = try Tool.run("replay", "-", "--config", config, input: log)
            #expect(run.output.hasPrefix(#"{"line":\#(count + 2),"time":"2026-11-27T10:00:00Z","visitorId":"v1","#))
            let explained = try Tool.run(
                "replay", "-", "--config", config, "--visitor", "v1", "--explain", input: log)
            #expect(explained.output.hasPrefix("line \(count + 2), 2026-11-27T10:00:00Z, staging"))
        }
    }

    @Test func featuresBesideDecisionsAreComparedToo() throws {
        func config(_ size: Int) -> String {
            #"""
            {"account_id":"1","project":{"id":"2"},"features":[{"id":"7","key":"form","variables":[]}],
             "experiences":[{"id":"10","key":"checkout","version":10,"variations":[
              {"id":"101","key":"a","traffic_allocation":100,"changes":[
               {"type":"fullStackFeature","data":{"feature_id":"7","variables_data":{"size":\#(size)}}}]}]}]}
            """#
        }
        try Tool.withFile(config(1)) { old in
            try Tool.withFile(config(2)) { new in
                let visitors = #"{"visitorId":"v1"}"# + "\n"
                let log = try Tool.run("assign", "--config", old, "--echo", "--features", input: visitors).output
                #expect(try Tool.run("replay", "-", "--config", old, input: log).status == 0)
                let run = try Tool.run("replay", "-", "--config", new, input: log)
                #expect(run.status == 1 && run.output.contains(#""feature":"form""#), "\(run.output)")
                #expect(run.errors.contains("1 of 2 decisions differ"))
                let line = try Tool.run("decide", "--config", new, "--log-line", "-", input: log)
                #expect(line.status == 1 && line.output.contains("EXPERIENCE OR FEATURE"))
                try Tool.withFile(log) { log in
                    let test = try Tool.run("test", log, "--config", new)
                    #expect(test.status == 1 && test.output.contains("form: expected"), "\(test.output)")
                    let diff = try Tool.run("diff", old, new, "--log", log)
                    #expect(diff.output.contains("of the population: 1 of 1"), "\(diff.output)")
                    let one = try Tool.run("replay", log, "--config", new, "--experience", "form")
                    #expect(one.status == 1 && one.errors.contains("1 of 1 decisions differ"))
                    let other = try Tool.run("replay", log, "--config", new, "--experience", "forn")
                    #expect(other.status == 2 && other.errors.contains("did you mean 'form'?"))
                }
                let features = log.replacing(#""each":true"#, with: #""features":true"#)
                let asked = try Tool.run("replay", "-", "--config", new, "--experience", "checkout", input: features)
                #expect(asked.status == 2 && asked.errors.contains("the log has no decision of 'checkout'"))
            }
        }
    }

    @Test(arguments: [
        (#"Nov 28 host app: LINE"#, "cut it off, such as with sed"),
        (#"{"level":"info","msg":LINE}"#, #"jq -c '.["msg"]'"#),
        (#"{"msg":TEXT}"#, #"jq -r '.["msg"]'"#),
    ]) func aLineThatALoggerWrappedSaysWhatToDo(form: String, remedy: String) throws {
        let line = #"{"visitorId":"v1","decisions":{"checkout":null}}"#
        let text = "\"" + line.replacing("\"", with: "\\\"") + "\""
        let log = form.replacing("LINE", with: line).replacing("TEXT", with: text) + "\n"
        try Tool.withFile(DecideCommandTests.config) { config in
            let run = try Tool.run("replay", "-", "--config", config, input: log)
            #expect(run.status == 1 && run.errors.contains(remedy), "\(run.errors)")
            #expect(try Tool.run("decide", "--config", config, "--log-line", "-", input: log).errors.contains(remedy))
        }
    }

    @Test func aPageSaysThatLinesNameAnotherConfig() throws {
        let log = #"{"visitorId":"v1","config":"abc","decisions":{"checkout":null}}"# + "\n"
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile("") { page in
                _ = try Tool.run("replay", "-", "--config", config, "--html", page, input: log)
                let html = try String(contentsOfFile: page, encoding: .utf8)
                #expect(html.contains("1 line names another config"))
            }
        }
    }

    @Test func aLineThatIsNotOfALogIsReported() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let run = try Tool.run("replay", "-", "--config", config, input: #"{"visitorId":"v1"}"# + "\n")
            #expect(run.status == 1)
            #expect(run.errors.contains("line 1: $.decisions: it is missing"))
            #expect(run.errors.contains("1 of 1 lines could not be read as log lines"))
        }
    }

    @Test func linesOfWhiteSpaceInALogArePassedOver() throws {
        let line = #"{"visitorId":"v1","attributes":{"plan":"pro"},"decisions":{"checkout":"original"}}"#
        let log = "\t\n\(line)\n \t\r\n"
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(log) { file in
                for arguments in [["test", file], ["decide", "--log-line", file], ["replay", file]] {
                    let run = try Tool.run(arguments + ["--config", config])
                    #expect(run.status == 0, "\(arguments) \(run.errors)")
                }
            }
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

    @Test func aPropertyThatNoRuleReadsHidesNoDifference() throws {
        let line = #"{"visitorId":"v1","attributes":{"plan":"pro"},"withheld":["email"],"decisions":{"checkout":null}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            let replayed = try Tool.run("replay", "-", "--config", config, "--json", input: line)
            #expect(replayed.status == 1 && replayed.output.contains(#""differences":1,"unknowable":0"#))
            let explained = try Tool.run("replay", "-", "--config", config, "-v", "v1", "-x", input: line)
            #expect(explained.status == 1 && explained.output.contains("(differs)"), "\(explained.output)")
            #expect(try Tool.run("decide", "--config", config, "--log-line", line).status == 1)
            let tested = try Tool.withFile(#"{"tests":[\#(line)]}"#) { try Tool.run("test", "--config", config, $0) }
            #expect(tested.status == 1)
            let hidden = line.replacing("email", with: "plan")
            let decided = try Tool.run("decide", "--config", config, "--log-line", hidden)
            #expect(decided.status == 0 && decided.output.contains("- (may come from plan)"), "\(decided.output)")
            let json = try Tool.run("decide", "--config", config, "--log-line", hidden, "--json").output
            #expect(json.contains(#""withheld" : ["#), "\(json)")
        }
    }

    @Test func aWithheldNameThatNoRuleReadsIsNamed() throws {
        let line = #"{"visitorId":"v1","withheld":["attributes.plan"],"decisions":{"checkout":null}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            let replayed = try Tool.run("replay", "-", "--config", config, input: line)
            #expect(replayed.errors.contains("1 lines withhold 'attributes.plan', which no rule reads"))
            let decided = try Tool.run("decide", "--config", config, "--log-line", line)
            #expect(decided.errors.contains("the line withholds 'attributes.plan', which no rule reads"))
            let read = line.replacing("attributes.plan", with: "plan")
            #expect(try !Tool.run("replay", "-", "--config", config, input: read).errors.contains("no rule reads"))
        }
    }

    @Test func aLineWithAKeyThatNoExperienceHasAnyMoreNamesTheNearestOne() throws {
        let line = #"{"visitorId":"v1","decisions":{"checkout":"original"}}"#
        try Tool.withFile(DecideCommandTests.config.replacing(#""checkout""#, with: #""checkout2""#)) { config in
            let decided = try Tool.run("decide", "--config", config, "--log-line", line)
            #expect(decided.status == 1 && decided.errors.contains("did you mean 'checkout2'?"), "\(decided.errors)")
        }
    }

    @Test func aSummaryShortensLongAnswers() throws {
        let text = String(repeating: "x", count: 500)
        let line = #"{"visitorId":"v1","decisions":{"checkout":"\#(text)"}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            let summary = try Tool.run("replay", "-", "--config", config, "--summary", input: line)
            let rows = summary.output.split(separator: "\n")
            #expect(rows.count == 2 && rows.allSatisfy { $0.count < 160 }, "\(summary.output)")
        }
    }

    @Test func aSummaryNamesTheExperiencesThatCannotBeKnown() throws {
        let line = #"{"visitorId":"v1","attributes":{},"withheld":["plan"],"decisions":{"checkout":"original"}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            let summary = try Tool.run("replay", "-", "--config", config, "--summary", input: line)
            let row = summary.output.split(separator: "\n").first { $0.contains("cannot be known") }
            #expect(row?.hasPrefix("checkout") ?? false, "\(summary.output)")
            let json = try Tool.run("replay", "-", "--config", config, "--json", input: line).output
            #expect(json.contains(#""unknowableBy":[{"experience":"checkout","count":1}]"#), "\(json)")
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
                #expect(explained.errors.contains("1 lines name another config than the given one"))
                for option in ["--explain", "--summary"] {
                    let unknown = try Tool.run("replay", "-", "--config", other, "-v", "V2", option, input: log)
                    #expect(unknown.status == 2 && unknown.errors.contains("has no decision of the visitor 'V2'"))
                }
                #expect(try Tool.run("replay", "-", "--config", other, "--explain", input: log).status == 2)
                #expect(try Tool.run("replay", "-", "--config", other, "--experience", "x", input: log).status == 2)
            }
        }
    }

    /// Everybody gets the second arm, which carries a feature.
    private static let featured = """
        {"account_id": "1", "project": {"id": "2"}, "features": [{"id": "5", "key": "flow", "variables":
        [{"key": "size", "type": "integer"}]}], "experiences": [{"id": "9", "key": "checkout", "version": 11,
        "variations": [{"id": "92", "key": "green", "traffic_allocation": 100, "changes": [{"type": "fullStackFeature",
        "data": {"feature_id": "5", "variables_data": {"size": 1}}}]}]}]}
        """

    /// Lines whose answers are others now: of a feature, of an experience that was added, and of one asked by its id.
    private static let others = [
        #"{"visitorId":"v","call":{"feature":"flow"},"features":{"flow":[{"experience":"checkout","variables":{"size":2}}]}}"#,
        #"{"visitorId":"v","call":{"features":true},"features":{"flow":null}}"#,
        #"{"visitorId":"v","call":{"all":true},"decisions":{}}"#,
        #"{"visitorId":"v","call":{"byId":true},"decisions":{"9":null}}"#,
        #"{"visitorId":"p","buckets":{"checkout":4000},"decisions":{"checkout":"blue"}}"#,
    ]

    @Test(arguments: others)
    func allCommandsFindTheSameDifference(line: String) throws {
        try Tool.withFile(Self.featured) { config in
            let replayed = try Tool.run("replay", "-", "--config", config, "--json", input: line + "\n")
            #expect(replayed.status == 1 && replayed.output.contains(#""differences":1"#), "\(replayed.output)")
            let decided = try Tool.run("decide", "--config", config, "--log-line", line, "--explain")
            #expect(decided.status == 1 && decided.output.contains("(differs)"), "\(decided.output)")
            let id = line.contains("buckets") ? "p" : "v"
            let explained = try Tool.run(
                "replay", "-", "--config", config, "--visitor", id, "--explain", input: line + "\n")
            #expect(explained.status == 1 && explained.output.contains("(differs)"), "\(explained.output)")
            #expect(explained.errors.contains("1 decisions differ"))
            let json = try Tool.run("decide", "--config", config, "--log-line", line, "--json")
            #expect(json.output.contains(#""differs" : true"#), "\(json.output)")
            // Of the line of all experiences a test compares nothing.
            try Tool.withFile(#"{"tests":[\#(line)]}"#) { tests in
                let tested = try Tool.run("test", "--config", config, tests)
                #expect(tested.status == (line.contains(#""decisions":{}"#) ? 2 : 1), "\(tested.output)")
            }
        }
    }

    @Test func anExperienceIsFoundByKeyAndByID() throws {
        let log = """
            {"visitorId":"v","call":{"byId":true},"decisions":{"9":null}}
            {"visitorId":"v","decisions":{"checkout":null}}
            {"visitorId":"v","decisions":{"other":null}}

            """
        try Tool.withFile(Self.featured) { config in
            for name in ["checkout", "9"] {
                let run = try Tool.run("replay", "-", "--config", config, "--json", "-e", name, input: log)
                #expect(run.output.contains(#""decisions":2,"differences":2"#), "\(name): \(run.output)")
            }
        }
    }
}
