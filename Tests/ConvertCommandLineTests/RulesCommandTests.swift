import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

struct RulesCommandTests {
    private static let rules = """
        {"version": 1, "rules": [
          {"condition": {"type": "group", "definition": {"logic": "and", "conditions": [
            {"type": "matcher", "definition": {"key": "action", "matcher": "eq", "values": ["buy"]}},
            {"type": "matcher", "definition": {"key": "~state.com.example.user/plan", "matcher": "nx"}},
            {"type": "historical", "definition": {"events": [{"key": "open"}], "matcher": "ge", "value": 2}}]}},
           "consequences": [{"id": "u", "type": "url", "detail": {"url": "app://{%action%}"}}]},
          {"condition": {"type": "matcher", "definition": {"key": "action", "matcher": "zz"}}, "consequences": []}]}
        """
    private static let event = #"{"type": "t", "source": "s", "data": {"action": "buy"}}"#
    private static let history = #"[{"event": {"key": "open"}, "at": 1}, {"event": {"key": "open"}, "at": 2}]"#

    private func run(_ arguments: String...) throws -> Tool.Run {
        try Tool.withFile(Self.rules) { try Tool.run(["rules", $0] + arguments) }
    }

    @Test func consequencesArePrintedAndWhatIsWrongIsComplainedAbout() throws {
        let run = try run("--event", Self.event, "--history", Self.history)
        #expect(run.status == 0)
        #expect(run.output.contains("1 rule matches"))
        #expect(run.output.contains(#"{"url":"app://buy"}"#))
        #expect(run.complaints.count == 1)
        #expect(run.errors.contains("$.rules[1].condition"))
    }

    @Test(arguments: [
        (["--event", #"{"type": "t" "source": "s"}"#], "line 1, column 14"),
        (["--event", #"{"type": "t"}"#], "$.source"), (["--event", event, "--state", #"{"a": 1}"#], "'a'"),
        (["--event", event, "--history", #"[{"event": {}, "at": 1}, {"at": 2}]"#], "element 1"),
    ])
    func whatIsWrongWithAnOptionIsSaidWithItsPlace(arguments: [String], complaint: String) throws {
        let run = try Tool.withFile(Self.rules) { try Tool.run(["rules", $0] + arguments) }
        #expect(run.status == 2)
        #expect(run.complaints.count == 1)
        #expect(run.errors.contains(complaint))
    }

    /// Forms of `TZ` and the offsets that they may give now. The last rule has daylight saving time all year.
    static let timeZones: [(zone: String, offsets: Set<String>)] = [
        ("UTC0", ["Z"]), ("EST5", ["-0500"]), ("<+0330>-3:30", ["+0330"]), (":Asia/Kolkata", ["+0530"]),
        ("Asia/Kolkata", ["+0530"]), (":Europe/Berlin", ["+0100", "+0200"]),
        ("CET-1CEST,M3.5.0,M10.5.0/3", ["+0100", "+0200"]), ("AAA-1BBB,0/0,J365/25", ["+0200"]),
    ]

    @Test(arguments: timeZones) func theLocalTimeIsThatOfEveryFormOfTZ(zone: String, offsets: Set<String>) throws {
        let rules = """
            {"version": 1, "rules": [
              {"condition": {"type": "matcher", "definition": {"key": "~type", "matcher": "ex"}},
               "consequences": [{"id": "t", "type": "an", "detail": {"t": "{%~timestampz%}"}}]}]}
            """
        let run = try Tool.withFile(rules) { file in
            let command = #"TZ="$1" exec "$2" rules "$3" --event "$4""#
            let tool = BuiltProduct.executable("convert-sdk").path
            return try Tool.run(["-c", command, "sh", zone, tool, file, Self.event], of: URL(filePath: "/bin/sh"))
        }
        let offset = try #require(run.output.firstMatch(of: /T\d\d:\d\d:\d\d(Z|[+-]\d{4})"/)?.1)
        #expect(offsets.contains(String(offset)), "\(run.output)")
    }

    @Test func statesAreToldApartByCodeUnits() throws {
        let rules =
            #"{"version": 1, "rules": [{"condition": {"type": "matcher", "definition": "#
            + #"{"key": "~state.\u00e9/plan", "matcher": "eq", "values": ["pro"]}}, "consequences": []}]}"#
        let states = #"{"\u00e9": {"plan": "pro"}, "e\u0301": {"plan": "free"}}"#
        let run = try Tool.withFile(rules) { try Tool.run("rules", $0, "--event", Self.event, "--state", states) }
        #expect(run.output.contains("1 rule matches"))
    }

    @Test func statesAndHistoryDecide() throws {
        let state = #"{"com.example.user": {"plan": "pro"}}"#
        #expect(try run("--event", Self.event).output.contains("0 rules match"))
        let run = try run("--event", Self.event, "--history", Self.history, "--state", state, "--explain")
        #expect(run.output.contains("0 rules match"))
        #expect(run.output.contains("+ matcher action eq [\"buy\"] (\"buy\")"))
        #expect(run.output.contains("- matcher ~state.com.example.user/plan nx [] (\"pro\")"))
        #expect(run.output.contains("(2)"))
    }

    @Test func anExplanationIsCutAndKeepsControlCharactersFromTheTerminal() throws {
        let condition = #"{"type": "matcher", "definition": {"key": "k", "matcher": "eq", "values": ["\u001b[2J"]}}"#
        let group = #"{"type": "group", "definition": {"logic": "or", "conditions": [\#(condition)]}}"#
        let rules = Array(repeating: #"{"condition": \#(group), "consequences": []}"#, count: 2_000)
        let json = #"{"version": 1, "rules": [\#(rules.joined(separator: ","))]}"#
        let long = String(repeating: "x", count: 10_000)
        let event = #"{"type": "t\u009b2J", "source": "s", "data": {"k": "\u001b[2J\#(long)"}}"#
        let run = try Tool.withFile(json) { try Tool.run("rules", $0, "--event", event, "--explain") }
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 5_002)
        #expect(lines.allSatisfy { $0.count <= 1_100 })
        #expect(lines.last?.contains("1000 more lines") == true)
        #expect(run.output.contains(#"(""#))
        #expect(!run.output.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{9b}" })
    }

    @Test func programsGetJSON() throws {
        let run = try run("--event", Self.event, "--history", Self.history, "--json")
        #expect(run.status == 0)
        #expect(run.output.contains(#""matchedRules" : ["#))
        #expect(run.output.contains(#""detail" : {"url":"app://buy"}"#))
    }

    @Test func badInputIsNamed() throws {
        #expect(try run("--event", "{}").status == 2)
        #expect(try run("--event", "/nowhere.json").status == 2)
        #expect(try run("--event", Self.event, "--semantics", "x").status == 2)
        #expect(try Tool.run("rules", "--event", Self.event).status == 2)
        let missing = try Tool.run("rules", "/nowhere.zip", "--event", Self.event)
        #expect(missing.status == 2)
        #expect(missing.complaints.count == 1)
        let refused = try Tool.withFile(#"{"version": 1, "rules": [5]}"#) {
            try Tool.run("rules", $0, "--event", Self.event)
        }
        #expect(refused.errors.contains("$.rules[0]"))
    }

    @Test func rulesAreFetchedFromAServer() throws {
        let server = try TestServer { request in
            request.target == "/rules.json" ? .status(200, body: Self.rules) : .status(410, body: "gone")
        }
        defer { server.stop() }
        let run = try Tool.run(
            "rules", server.url("/rules.json").absoluteString, "--event", Self.event, "--history", Self.history)
        #expect(run.status == 0)
        #expect(run.output.contains("1 rule matches"))
        let gone = try Tool.run("rules", server.url("/none.zip").absoluteString, "--event", Self.event)
        #expect(gone.status == 2)
        #expect(gone.errors.contains("410"))
    }

    @Test func inputThatIsNestedTooDeepEndsWithOneLine() throws {
        let deep = String(repeating: #"{"a":"#, count: 100_000)
        let run = try Tool.withFile(#"{"type": "t", "source": "s", "data": "# + deep) { try self.run("--event", $0) }
        #expect(run.status == 2)
        #expect(run.complaints.count == 1)
        let rules = try Tool.withFile(#"{"version": 1, "rules": "# + deep) {
            try Tool.run("rules", $0, "--event", Self.event)
        }
        #expect(rules.status == 2)
        #expect(rules.complaints.count == 1)
    }

    @Test func aURLMayBeSpelledInCapitals() throws {
        let run = try Tool.run("rules", "HTTP://rules.example/r.zip", "--event", Self.event)
        #expect(run.status != 0)
        #expect(run.errors.contains("rules are fetched by https only"))
    }
}
