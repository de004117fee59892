import ConvertTestSupport
import Foundation
import Testing

@testable import convert_sdk

/// Each option of a command changes the answer, or is refused with a message that says which option to give instead. A
/// command has several modes if one option decides which others it reads.
struct OptionEffectTests {
    /// A command line that needs no further option.
    struct Mode: Sendable, CustomTestStringConvertible {
        let command: String
        let line: [String]
        var input = ""
        /// The value that each option has in the test, if it is not that of ``OptionEffectTests/values``.
        var values: [String: String] = [:]
        /// The options that are refused.
        let refused: Set<String>
        /// The options that ask for something that the mode does anyway.
        var granted: Set<String> = []

        var testDescription: String { ([command] + line).joined(separator: " ") }
    }

    private static let audience =
        #"{"OR": [{"AND": [{"OR_WHEN": [{"rule_type": "generic_text_key_value", "key": "plan", "value": "pro", "#
        + #""matching": {"match_type": "equals", "negated": false}}]}]}]}"#

    /// A config whose variations have ids that are numbers, which the semantics `javaScript` does not find.
    private static func config(oldShare: Int) -> String {
        func change(_ feature: String, _ size: String = "1.5") -> String {
            #""changes": [{"type": "fullStackFeature", "data": {"feature_id": "\#(feature)", "#
                + #""variables_data": {"size": "\#(size)"}}}]"#
        }
        return """
            {"account_id": "1", "project": {"id": "2"}, "goals": [{"id": "3", "key": "buy"}],
            "features": [{"id": "5", "key": "flow", "variables": [{"key": "size", "type": "integer"}]},
            {"id": "6", "key": "idle"}], "audiences": [{"id": "7", "key": "pro", "rules": \(audience)}],
            "locations": [{"id": "8", "key": "shop", "rules": \(audience.replacing("plan", with: "path"))}],
            "experiences": [
            {"id": "10", "key": "checkout", "version": 11, "environment": "staging", "audiences": ["7"],
            "settings": {"matching_options": {"audiences": "any"}},
            "variations": [{"id": "101", "key": "one", \(change("6"))}]},
            {"id": "11", "key": "search", "version": 11, "locations": ["8"],
            "variations": [{"id": "111", "key": "one", \(change("6"))}]},
            {"id": "12", "key": "banner", "version": 11, "environment": "production", "variations": [
            {"id": "121", "key": "one", "traffic_allocation": \(oldShare), \(change("6"))},
            {"id": "122", "key": "two", "traffic_allocation": \(100 - oldShare), \(change("6"))}]},
            {"id": "13", "key": "arrow", "version": 11, "variations": [
            {"id": 131, "key": "old", "traffic_allocation": \(oldShare), \(change("5"))},
            {"id": 132, "key": "new", "traffic_allocation": \(100 - oldShare), \(change("5", "2.5"))}]},
            {"id": "14", "key": "poll", "version": 11, "variations": [
            {"id": 141, "key": "one", "traffic_allocation": 50}, {"id": "142", "key": "two", "traffic_allocation": 50}]}
            ]}
            """
    }

    private static let rules = """
        {"version": 1, "rules": [
        {"condition": {"type": "matcher", "definition": {"key": "~state.s/plan", "matcher": "nx"}}, "consequences": []},
        {"condition": {"type": "historical", "definition": {"events": [{"key": "open"}], "matcher": "ge", "value": 1}},
        "consequences": []},
        {"condition": {"type": "group", "definition": {"logic": "or", "conditions": [
        {"type": "matcher", "definition": {"key": "action", "matcher": "eq", "values": ["buy"]}},
        {"type": "matcher", "definition": {"key": "action", "matcher": "zz"}}]}}, "consequences": []}]}
        """

    private static let findings =
        #"{"findings": [{"code": "no-goals", "severity": "suspicious", "place": "$.experiences['poll'].goals"}]}"#
    private static let visitors = (0..<400).map { #"{"visitorId": "v\#($0)", "attributes": {"plan": "pro"}}"# + "\n" }
        .joined()
    private static let log = (0..<400).map { index in
        let answers = #""checkout": "one", "arrow": "old", "poll": "\#(index % 2 == 0 ? "one" : "two")""#
        return #"{"visitorId": "v\#(index)", "attributes": {"plan": "pro"}, "decisions": {\#(answers)}}"# + "\n"
    }.joined()
    private static let logLine =
        #"{"visitorId": "v1", "attributes": {"plan": "pro"}, "decisions": {"checkout": "one", "arrow": null}}"#

    private static let files = [
        "config.json": config(oldShare: 100), "new.json": config(oldShare: 0), "rules.json": rules,
        "visitors.jsonl": visitors, "tests.json": #"{"tests": [\#(logLine)]}"#, "findings.json": findings,
        "log.jsonl": log,
    ]

    /// Values that make a difference. A name of a file above stands for its path.
    private static let values = [
        "--config": "new.json", "--sdk-key": "1/2", "--endpoint": "http://127.0.0.1:1", "--environment": "production",
        "--semantics": "javaScript", "--visitor": "v1", "--attribute": "plan=pro",
        "--attributes": #"{"plan": "pro"}"#, "--location": "path=pro", "--locations": #"{"path": "pro"}"#,
        "--stored": #"{"bucketing": {"13": "132"}}"#, "--force": "arrow=new", "--preview": "search.one",
        "--log-line": logLine, "--experience": "poll", "--feature": "flow", "--flag": "arrow",
        "--output-format": "csv", "--format": "csv", "--input": "log.jsonl", "--visitors": "visitors.jsonl",
        "--generate": "300", "--seed": "2", "--log": "log.jsonl", "--counts": #"{"one": 5, "two": 5}"#, "--by": "plan",
        "--min-difference": "1%", "--baseline": "4%", "--per-day": "2000", "--power": "90%", "--effect": "20%",
        "--days": "3", "--significance": "1%", "--fail-on": "never", "--state": #"{"s": {"plan": "pro"}}"#,
        "--history": #"[{"event": {"key": "open"}, "at": 1}]"#, "--flags": "i", "--html": "page", "--junit": "page",
        "--ignore": "no-goals", "--threads": "1",
    ]

    private static let fetching: Set = ["--sdk-key", "--endpoint"]
    private static let visitorOptions: Set = [
        "--visitor", "--attribute", "--attributes", "--location", "--locations", "--stored", "--force", "--preview",
    ]
    private static let planner: Set = ["--baseline", "--per-day", "--power", "--effect", "--days", "--significance"]
    private static let config = ["--config", "config.json"]

    private static let modes = decisions + populations + logs + configs

    private static let decisions: [Mode] = [
        Mode(
            command: "decide", line: config + ["--visitor", "v1"], refused: fetching.union(["--log-line"])),
        Mode(
            command: "decide", line: config + ["--log-line", logLine], refused: fetching.union(visitorOptions)),
        Mode(command: "features", line: config + ["--visitor", "v1"], refused: fetching),
        Mode(
            command: "ofrep", line: config, input: #"{"context": {"targetingKey": "v1"}}"#, refused: fetching),
        Mode(
            command: "rules", line: ["rules.json", "--event", #"{"type": "t", "source": "s", "data": {}}"#],
            values: ["--semantics": "reference"], refused: []),
        Mode(command: "regex", line: ["A", "a"], refused: []),
    ]

    private static let populations: [Mode] = [
        Mode(
            command: "assign", line: config + ["--input", "visitors.jsonl"],
            refused: fetching.union(["--only-assigned", "--no-header", "--format"])),
        Mode(
            command: "assign", line: config + ["--input", "visitors.jsonl", "--output-format", "csv"],
            refused: fetching.union(["--only-assigned", "--features", "--echo", "--reasons", "--format"])),
        Mode(
            command: "assign", line: config + ["--input", "visitors.jsonl", "--long"],
            values: ["--output-format": "jsonl"], refused: fetching.union(["--features", "--echo", "--format"]),
            granted: ["--reasons"]),
        Mode(
            command: "simulate", line: config + ["--generate", "200"],
            values: ["--attributes": #"{"plan": ["pro"]}"#],
            refused: fetching.union(planner).union(["--visitors", "--format"])),
        Mode(
            command: "simulate", line: config + ["--visitors", "visitors.jsonl"],
            refused: fetching.union(planner).union(["--generate", "--seed", "--attributes", "--format"])),
        Mode(
            command: "simulate", line: config + ["--generate", "200", "--baseline", "4%", "--per-day", "1000"],
            values: ["--attributes": #"{"plan": ["pro"]}"#],
            refused: fetching.union(["--visitors", "--format"])),
    ]

    private static let logs: [Mode] = [
        Mode(
            command: "srm",
            line: config + ["--experience", "poll", "--counts", #"{"one": 5000, "two": 5000}"#],
            refused: fetching.union(["--environment", "--log", "--by", "--threads", "--html"])),
        Mode(
            command: "srm", line: config + ["--log", "log.jsonl"],
            refused: fetching.union(["--environment", "--semantics", "--counts"]), granted: ["--sequential"]),
        Mode(command: "replay", line: ["log.jsonl", "--config", "new.json"], refused: ["--explain"]),
        Mode(
            command: "replay", line: ["log.jsonl", "--config", "new.json", "--summary"], refused: ["--explain"]),
        Mode(
            command: "replay", line: ["log.jsonl", "--config", "new.json", "--json"], refused: ["--explain"],
            granted: ["--summary"]),
        Mode(
            command: "replay", line: ["log.jsonl", "--config", "new.json", "--visitor", "v1", "--explain"],
            refused: ["--summary", "--json", "--html"]),
        Mode(
            command: "test", line: config + ["tests.json"],
            refused: fetching.union(["--record", "--visitors", "--features", "--format"])),
        Mode(
            command: "test", line: config + ["--record", "--visitors", "visitors.jsonl"],
            refused: fetching.union(["--junit", "--format"])),
    ]

    private static let configs: [Mode] = [
        Mode(
            command: "lint", line: ["config.json"],
            values: ["--baseline": "findings.json"],
            refused: fetching.union(["--environment"])),
        Mode(
            command: "diff", line: ["config.json", "new.json"], values: ["--format": "markdown"],
            refused: fetching.union(["--environment"])),
        Mode(
            command: "diff", line: ["config.json", "new.json", "--visitors", "visitors.jsonl"],
            values: ["--format": "markdown"], refused: fetching.union(["--log"])),
        Mode(
            command: "diff", line: ["config.json", "new.json", "--log", "log.jsonl"],
            values: ["--format": "markdown"], refused: fetching.union(["--visitors"])),
        Mode(command: "keys", line: config, refused: fetching.union(["--environment", "--public"])),
        Mode(command: "keys", line: config + ["--swift"], refused: fetching.union(["--environment"])),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(Self.files) }

    /// Runs the tool. Returns what it prints, and whether it writes a page.
    private func run(_ mode: Mode, _ arguments: [String] = []) throws -> (answer: [String], run: Tool.Run) {
        let line = (mode.line + arguments).map { Self.files[$0] == nil && $0 != "page" ? $0 : folder.file($0).path }
        try? FileManager.default.removeItem(at: folder.file("page"))
        let run = try Tool.run([mode.command] + line, input: mode.input)
        let hasPage = FileManager.default.fileExists(atPath: folder.file("page").path)
        return (["\(run.status)", run.output, run.errors, hasPage ? "a page" : ""], run)
    }

    @Test func everyCommandWithOptionsIsTried() {
        let commands = CommandList.all.map { $0.declaration }.filter { !$0.options.isEmpty }.map(\.name)
        // A fetched config has the environment that the server was asked for; other tests see the request.
        #expect(Set(commands) == Set(Self.modes.map(\.command) + ["fetch"]))
    }

    @Test(arguments: modes) func everyOptionChangesTheAnswerOrIsRefused(mode: Mode) throws {
        let declaration = try CommandList.command(mode.command).declaration
        let usual = try run(mode)
        #expect(usual.run.status < 2, "\(usual.run.errors)")
        for option in declaration.options where !mode.line.contains(option.name) {
            let value = mode.values[option.name] ?? Self.values[option.name]
            #expect((value != nil) == (option.value != nil), "\(option.name)")
            let other = try run(mode, [option.name] + (value.map { [$0] } ?? []))
            if mode.refused.contains(option.name) {
                #expect(other.run.status == 2 && other.run.errors.contains("--"), "\(option.name): \(other.answer)")
            } else if mode.granted.contains(option.name) || option.name == "--threads" {
                #expect(other.answer == usual.answer, "\(option.name)")
            } else {
                #expect(other.run.status < 2, "\(option.name): \(other.run.errors)")
                #expect(other.answer != usual.answer, "\(option.name)")
            }
        }
    }
}
