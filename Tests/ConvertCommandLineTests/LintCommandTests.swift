import Foundation
import Testing

struct LintCommandTests {
    static func config(_ value: String = "\"pro\"", others: String = "") -> String {
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
                #expect(json.contains(#""leaves":{"visitorId":"visitor-1","attributes":{"plan":1e400}"#), "\(json)")
            }
        }
    }
}
