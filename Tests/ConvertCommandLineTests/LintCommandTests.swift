import Foundation
import Testing

struct LintCommandTests {
    private static func config(_ value: String = "\"pro\"", others: String = "") -> String {
        """
        {"account_id": "1", "project": {"id": "2"}, "experiences": [{"id": "10", "key": "checkout", "version": 10,
          "audiences": ["5"\(others)], "settings": {"matching_options": {"audiences": "any"}},
          "variations": [{"id": "11", "key": "a", "traffic_allocation": 100, "changes": []}]}],
         "audiences": [{"id": "5", "key": "fans", "type": "transient", "rules": {"OR": [{"AND": [{"OR_WHEN": [
           {"rule_type": "generic_text_key_value", "key": "plan", "value": \(value),
            "matching": {"match_type": "equals", "negated": false}}]}]}]}}]}
        """
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            let code: String
            let severity: String
            let path: String
            let message: String
            let remedy: String
            let undecided: Bool
        }

        let findings: [Finding]
    }

    @Test func aSoundConfigHasNoFindings() throws {
        try Tool.withFile(Self.config()) { file in
            let run = try Tool.run("lint", file)
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output == "nothing found\n")
            #expect(try Tool.run("lint", file, "--json").output == "{\"findings\":[]}\n")
        }
    }

    @Test func findingsAreToldWithPlaceAndRemedy() throws {
        try Tool.withFile(Self.config(others: ", \"6\"")) { file in
            let run = try Tool.run("lint", file)
            #expect(run.status == 1)
            #expect(run.output.hasPrefix("error $.experiences[0].audiences[1] [unknown-reference]\n"))
            #expect(run.output.hasSuffix("1 error\n"))
            let json = try Tool.run("lint", file, "--json", "--semantics", "javaScript")
            #expect(json.status == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            #expect(report.findings.map(\.code) == ["unknown-reference"])
            #expect(report.findings.map(\.severity) == ["error"])
            #expect(json.output.contains("\"witness\":null"))
        }
    }

    @Test func aGateFailsOnTheLevelThatIsAskedFor() throws {
        let suspicious = Self.config("\" pro \"")
        try Tool.withFile(suspicious) { file in
            #expect(try Tool.run("lint", file).status == 0)
            #expect(try Tool.run("lint", file, "--fail-on", "suspicious").status == 1)
            #expect(try Tool.run("lint", file, "--fail-on", "warning").status == 0)
            #expect(try Tool.run("lint", file, "--fail-on", "fatal").status == 2)
            let ignored = try Tool.run(
                "lint", file, "--fail-on", "note", "--ignore", "outer-blanks@$.audiences['fans']")
            #expect(ignored.status == 0 && ignored.errors.contains("1 finding is left out"))
            #expect(
                try Tool.run("lint", file, "--ignore", "outer-blank").errors.contains("did you mean 'outer-blanks'?"))
            let report = try Tool.run("lint", file, "--json")
            try Tool.withFile(report.output) { baseline in
                let known = try Tool.run("lint", file, "--fail-on", "note", "--baseline", baseline)
                #expect(known.status == 0 && known.output == "nothing found\n")
            }
            #expect(try Tool.run("lint", file, "--baseline", file).status == 2)
        }
    }

    @Test func aDiffFailsOnWhatIsAskedFor() throws {
        try Tool.withFile(Self.config()) { old in
            try Tool.withFile(Self.config().replacing("\"key\": \"a\"", with: "\"key\": \"b\"")) { new in
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

    @Test func badInputIsRefused() throws {
        let missing = try Tool.run("lint", "/nowhere.json")
        #expect(missing.status == 2)
        #expect(missing.complaints.count == 1)
        try Tool.withFile("{}") { file in
            let runs = [try Tool.run("lint", file), try Tool.run("diff", file, file)]
            #expect(runs.map(\.status) == [2, 2])
        }
        #expect(try Tool.run("lint").status == 2)
        #expect(try Tool.run("diff", "one").status == 2)
    }

    /// A visitor with a stored decision is not asked about a permanent audience any more, and is about a transient one.
    @Test func aDiffTellsWhomOfThoseStoredAnExperienceLetsIn() throws {
        let permanent = Self.config().replacing("transient", with: "permanent")
        try Tool.withFile(permanent) { old in
            try Tool.withFile(Self.config()) { new in
                let run = try Tool.run("diff", old, new)
                #expect(run.status == 1)
                #expect(run.output.contains("for visitors with a stored decision, it lets in fewer visitors"))
                #expect(run.output.contains("drops out: {\"visitorId\""))
                #expect(run.output.contains(#""stored":{"bucketing":{"10":"11"}}"#))
                #expect(try Tool.run("diff", new, old).output.contains("stays in: {\"visitorId\""))
            }
        }
    }

    /// Shares of bucket values say nothing of attributes.
    @Test func theGateOfMovedVisitorsAlsoGoesByWhatIsCounted() throws {
        func config(_ plans: String) -> String {
            Self.config("\"\(plans)\"").replacing("\"equals\"", with: "\"isIn\"")
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

    @Test func aDiffTellsWhetherAnyAnswerChanges() throws {
        try Tool.withFile(Self.config()) { old in
            let same = try Tool.run("diff", old, old)
            #expect(same.status == 0)
            #expect(same.output == "no one's answer changes\n")
            try Tool.withFile(Self.config("\"free\"")) { new in
                let run = try Tool.run("diff", old, new)
                #expect(run.status == 1)
                #expect(run.output.contains("enters: {\"visitorId\""))
                let json = try Tool.run("diff", old, new, "--json")
                #expect(json.status == 1)
                #expect(json.output.contains("\"audience\":\"changed\""))
                #expect(json.output.contains("\"moved\":0,"))
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
                    #expect(refused.status == 2 && refused.errors.contains("--visitors: line 1 is no visitor"))
                    // Of another visitor than the one whose bytes they are nothing is said.
                    let bytes = Data("{\"visitorId\":\"".utf8) + [0xFF] + Data("\"}\n".utf8)
                    try bytes.write(to: URL(fileURLWithPath: visitors))
                    let unreadable = try Tool.run("diff", old, new, "--visitors", visitors)
                    #expect(unreadable.status == 2 && unreadable.errors.contains("not UTF-8"))
                }
            }
        }
    }

    /// A config with as many audiences as there are patterns, each with its experience.
    private static func patterns(_ patterns: [String]) -> String {
        let audiences = patterns.enumerated().map { index, pattern in
            """
            {"id": "5\(index)", "key": "a\(index)", "type": "transient", "rules": {"OR": [{"AND": [{"OR_WHEN": [
            {"rule_type": "generic_text_key_value", "key": "plan", "value": "\(pattern)",
            "matching": {"match_type": "regexMatches", "negated": false}}]}]}]}}
            """
        }
        let experiences = patterns.indices.map { index in
            """
            {"id": "1\(index)", "key": "e\(index)", "version": 10, "audiences": ["5\(index)"], "goals": ["9"],
            "settings": {"matching_options": {"audiences": "any"}},
            "variations": [{"id": "2\(index)", "key": "v", "traffic_allocation": 100, "changes": []}]}
            """
        }
        return """
            {"account_id": "1", "project": {"id": "2"}, "goals": [{"id": "9", "key": "g"}],
            "experiences": [\(experiences.joined(separator: ","))], "audiences": [\(audiences.joined(separator: ","))]}
            """
    }

    @Test func consequencesStandUnderTheirCauseAlone() throws {
        try Tool.withFile(Self.patterns((0..<25).map { "(\($0)" })) { file in
            let lines = try Tool.run("lint", file).output.split(separator: "\n")
            var audience: Substring = ""
            var consequences = 0
            for line in lines {
                if line.hasPrefix("error $.audiences[") {
                    audience = line.dropFirst("error $.audiences[".count).prefix { $0 != "]" }
                }
                guard line.hasPrefix("    follows:"), let start = line.firstIndex(of: "[") else { continue }
                #expect(line[start...].dropFirst().prefix { $0 != "]" } == audience, "\(line)")
                consequences += 1
            }
            #expect(consequences >= 20 && lines.contains { $0.hasPrefix("… 5 more [invalid-pattern]") })
        }
    }

    @Test func aConsequenceWithoutItsCauseNamesIt() throws {
        try Tool.withFile(Self.patterns(["(", "b"])) { file in
            let run = try Tool.run("lint", file, "--ignore", "invalid-pattern")
            #expect(!run.output.contains("    follows:"))
            #expect(run.output.contains("    follows from invalid-pattern at $.audiences[0]"), "\(run.output)")
        }
    }

    @Test func aNumberOfAWitnessIsWrittenAsTheConfigHasIt() throws {
        let huge = Self.config("1e400").replacing("equals", with: "lessEqual")
        try Tool.withFile(huge) { old in
            try Tool.withFile(Self.config("5").replacing("equals", with: "lessEqual")) { new in
                let json = try Tool.run("diff", old, new, "--json").output
                #expect(!json.contains(#""plan":null"#), "\(json)")
            }
        }
    }

    @Test func aLogIsDecidedAsItsCallsWere() throws {
        let other = Self.config("\"free\"")
        let (own, person) = (#""environment":"live""#, #""visitorId":"v","attributes":{"plan":"pro"}"#)
        let log = """
            {\(person),\(own),"decisions":{"checkout":"a"}}
            {\(person),\(own),"call":{"all":true},"decisions":{"checkout":"a"}}
            {"visitorId":"w","attributes":{"plan":"pro"},\(own),"decisions":{"unknown":null}}
            {"visitorId":"x","attri
            """
        try Tool.withFile(Self.config()) { old in
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
}
