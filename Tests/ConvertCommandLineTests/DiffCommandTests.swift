import Foundation
import Testing

struct DiffCommandTests {
    @Test func aDiffFailsOnWhatIsAskedFor() throws {
        try Tool.withFile(LintCommandTests.config()) { old in
            try Tool.withFile(LintCommandTests.config().replacing("\"key\": \"a\"", with: "\"key\": \"b\"")) { new in
                #expect(try Tool.run("diff", old, new).status == 1)
                #expect(try Tool.run("diff", old, new, "--fail-on", "moved,entered,left,disturbed").status == 0)
                let failed = try Tool.run("diff", old, new, "--fail-on", "moved > 1%, renamed")
                #expect(failed.status == 1)
                #expect(failed.errors == "convert-sdk: exits with 1, because of --fail-on renamed\n")
                #expect(try Tool.run("diff", old, new, "--fail-on", "never").status == 0)
                for share in ["x", "1", "100%", "-1%"] {
                    #expect(try Tool.run("diff", old, new, "--fail-on", "moved>\(share)").status == 2, "\(share)")
                }
                #expect(
                    try Tool.run("diff", old, new, "--fail-on", "entred").errors.contains("did you mean 'entered'?"))
                let page = try Tool.run("diff", old, new, "--format", "markdown").output
                #expect(page.hasPrefix("### What this config changes\n"))
                #expect(page.contains("variation a is called b now"))
                let log =
                    #"{"visitorId":"v","attributes":{"plan":"pro"},"decisions":{"checkout":"a"},"environment":"live"}"#
                try Tool.withFile(log + "\n") { log in
                    let counted = try Tool.run("diff", old, new, "--log", log, "--json")
                    #expect(counted.output.contains("\"visitors\":1"))
                    #expect(try Tool.run("diff", old, new, "--log", log, "--visitors", log).status == 2)
                }
            }
        }
    }

    /// A visitor with a stored decision is not asked about a permanent audience any more, and is about a transient one.
    @Test func aDiffTellsWhomOfThoseStoredAnExperienceLetsIn() throws {
        let permanent = LintCommandTests.config().replacing("transient", with: "permanent")
        try Tool.withFile(permanent) { old in
            try Tool.withFile(LintCommandTests.config()) { new in
                let run = try Tool.run("diff", old, new)
                #expect(run.status == 1)
                #expect(run.output.contains("for visitors with a stored decision, it lets in fewer visitors"))
                #expect(run.output.contains("leaves with a stored decision: {\"visitorId\""))
                #expect(run.output.contains(#""stored":{"bucketing":{"10":"11"}}"#))
                #expect(try Tool.run("diff", new, old).output.contains("enters with a stored decision: {\"visitorId\""))
            }
        }
    }

    /// Shares of bucket values say nothing of attributes.
    @Test func theGateOfMovedVisitorsAlsoGoesByWhatIsCounted() throws {
        func config(_ plans: String) -> String {
            LintCommandTests.config("\"\(plans)\"").replacing("\"equals\"", with: "\"isIn\"")
        }
        try Tool.withFile(config("pro|free")) { old in
            try Tool.withFile(config("pro|team")) { new in
                #expect(try Tool.run("diff", old, new, "--fail-on", "moved").status == 0)
                for (plan, status, count) in [("free", 1, 1), ("pro", 0, 0)] as [(String, Int32, Int)] {
                    let line = "{\"visitorId\":\"v\",\"attributes\":{\"plan\":\"\(plan)\"}}\n"
                    try Tool.withFile(line) { visitors in
                        let run = try Tool.run("diff", old, new, "--visitors", visitors, "--fail-on", "moved")
                        #expect(run.status == status)
                        #expect(run.output.contains("of the population: \(count) of 1 (staging)"))
                    }
                }
            }
        }
    }

    @Test func aShareThatAttributesDecideIsUnknown() throws {
        func config(_ plans: String) -> String {
            LintCommandTests.config("\"\(plans)\"").replacing("\"equals\"", with: "\"isIn\"")
        }
        try Tool.withFile(config("pro|free")) { old in
            try Tool.withFile(config("pro|team")) { new in
                try Tool.withFile("") { page in
                    let run = try Tool.run("diff", old, new, "--format", "markdown", "--html", page)
                    #expect(run.output.contains("| checkout | changed | unknown | unknown | changed |"))
                    let html = try String(contentsOfFile: page, encoding: .utf8)
                    #expect(html.contains(">unknown</td>") && !html.contains(">0.00 %</td>"))
                }
            }
        }
    }

    @Test func anAttachedExclusionFailsTheGateOfMovedVisitors() throws {
        func config(_ audiences: String) -> String {
            func experience(_ key: String, _ id: Int, _ audiences: String) -> String {
                """
                {"id": "\(id)", "key": "\(key)", "status": "active", "type": "a/b_fullstack",
                 "audiences": [\(audiences)],
                 "variations": [{"id": "\(id)1", "key": "v", "status": "running", "traffic_allocation": 60}]}
                """
            }
            let leaf =
                #"{"rule_type": "bucketed_into_experience_key", "value": "a", "#
                + #""matching": {"match_type": "equals", "negated": true}}"#
            return """
                {"account_id": "1", "project": {"id": "2"}, "features": [], "goals": [], "audiences": [
                 {"id": "5", "key": "not-a", "type": "transient",
                  "rules": {"OR": [{"AND": [{"OR_WHEN": [\(leaf)]}]}]}}],
                 "experiences": [\(experience("a", 10, "")), \(experience("b", 20, audiences))]}
                """
        }
        try Tool.withFile(config("")) { old in
            try Tool.withFile(config("\"5\"")) { new in
                for condition in ["moved", "moved>1%", "moved>35%"] {
                    let runs = [
                        try Tool.run("diff", old, new, "--fail-on", condition),
                        try Tool.run("diff", new, old, "--fail-on", condition),
                    ]
                    #expect(runs.map(\.status) == [1, 1], "\(condition)")
                }
                let limit = try Tool.run("diff", new, old, "--fail-on", "moved>37%")
                #expect(limit.status == 0)
            }
        }
    }

    @Test func aDiffTellsWhetherAnyAnswerChanges() throws {
        try Tool.withFile(LintCommandTests.config()) { old in
            let same = try Tool.run("diff", old, old)
            #expect(same.status == 0)
            #expect(same.output == "no one's answer changes\n")
            try Tool.withFile(LintCommandTests.config("\"free\"")) { new in
                let run = try Tool.run("diff", old, new)
                #expect(run.status == 1)
                #expect(run.output.contains("enters: {\"visitorId\""))
                let json = try Tool.run("diff", old, new, "--json")
                #expect(json.status == 1)
                #expect(json.output.contains("\"audience\":\"changed\""))
                #expect(json.output.contains("\"moved\":1,") && json.output.contains("\"exchanged\":true"))
                let populations = [
                    (format: "jsonl", lines: "{\"visitorId\":\"v\",\"attributes\":{\"plan\":\"free\"}}\n"),
                    (format: "csv", lines: "visitorId,plan\nv,free\n"),
                ]
                for (format, lines) in populations {
                    try Tool.withFile(lines) { visitors in
                        let counted = try Tool.run("diff", old, new, "--visitors", visitors, "--format", format)
                        #expect(counted.output.contains("of the population: 1 of 1"))
                        #expect(counted.output.contains("none → a: 1"))
                    }
                }
                try Tool.withFile("{\"visitorId\":true}\n") { visitors in
                    let refused = try Tool.run("diff", old, new, "--visitors", visitors)
                    #expect(refused.status == 2 && refused.errors.contains("--visitors: line 1 is not a valid visitor"))
                    // Of another visitor than the one whose bytes they are nothing is said.
                    let bytes = Data("{\"visitorId\":\"".utf8) + [0xFF] + Data("\"}\n".utf8)
                    try bytes.write(to: URL(fileURLWithPath: visitors))
                    let unreadable = try Tool.run("diff", old, new, "--visitors", visitors)
                    #expect(unreadable.status == 2 && unreadable.errors.contains("not UTF-8"))
                }
            }
        }
    }

    @Test func aLogIsDecidedAsItsCallsWere() throws {
        let other = LintCommandTests.config("\"free\"")
        let (own, person) = (#""environment":"live""#, #""visitorId":"v","attributes":{"plan":"pro"}"#)
        let log = """
            {\(person),\(own),"decisions":{"checkout":"a"}}
            {\(person),\(own),"call":{"all":true},"decisions":{"checkout":"a"}}
            {"visitorId":"w","attributes":{"plan":"pro"},\(own),"decisions":{"unknown":null}}
            {"visitorId":"x","attri
            """
        try Tool.withFile(LintCommandTests.config()) { old in
            try Tool.withFile(other) { new in
                try Tool.withFile(log) { log in
                    let run = try Tool.run("diff", old, new, "--log", log, "--json", "--fail-on", "never")
                    #expect(run.status == 0, "\(run.errors)")
                    #expect(run.output.contains(#""visitors":2"#) && run.output.contains(#""population":{"moved":1"#))
                    #expect(run.errors.contains("1 of 4 lines could not be read as log lines"))
                }
                try Tool.withFile("{\n") { log in
                    let refused = try Tool.run("diff", old, new, "--log", log)
                    #expect(refused.status == 2 && refused.errors.contains("1 of 1 lines could not be read"))
                }
            }
        }
    }

    @Test func anErrorOfAConfigNamesTheOperand() throws {
        try Tool.withFile(LintCommandTests.config()) { config in
            try Tool.withFile("{}") { other in
                let runs = [try Tool.run("diff", other, config), try Tool.run("diff", config, other)]
                #expect(runs[0].errors.contains("OLD '\(other)' is not a project config"))
                #expect(runs[1].errors.contains("NEW '\(other)' is not a project config"))
            }
        }
    }
}
