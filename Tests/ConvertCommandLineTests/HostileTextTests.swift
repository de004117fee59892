import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import convert_sdk

/// Every command, with every option, on files and arguments whose texts command terminals and forge lines.
struct HostileTextTests {
    /// Escape sequences, line breaks, changes of direction and characters that are not shown. A NUL cannot be an
    /// argument.
    private static let hostile =
        "\u{1b}[2J\u{9b}31m\u{8}\r\nFORGED\u{85}FORGED "
        + "\u{202e}\u{2066}\u{200f}\u{61c}\u{feff}\u{e0041}\u{200d}\u{fe0f}\u{2028}"
        + "FORGED\u{2029}\u{7f}\t\u{ad}"
    /// The same as a part of a JSON string.
    private static let json = hostile.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()

    private static func config(_ share: Int) -> String {
        let leaf =
            #"{"rule_type": "generic_text_key_value", "key": "\#(json)", "value": "\#(json)\#(share)", "matching": "#
            + #"{"match_type": "equals", "negated": false}, "\#(json)": 1}"#
        let pattern = #"{"key": "\#(json)p", "value": "(\#(json)", "matching": {"match_type": "regexMatches"}}"#
        let unknown = #"{"key": "k", "value": "v", "matching": {"match_type": "\#(json)", "negated": true}}"#
        let other =
            #"{"rule_type": "bucketed_into_experience", "key": "", "value": "\#(json)1", "matching": "#
            + #"{"match_type": "equals", "negated": true}}"#
        func audience(_ id: String, _ leaves: String) -> String {
            #"{"id": "\#(json)\#(id)", "key": "\#(json)\#(id)", "type": "\#(json)", "#
                + #""rules": {"OR": [{"AND": [{"OR_WHEN": ["#
                + leaves + "]}]}]}}"
        }
        let change =
            #"{"type": "fullStackFeature", "data": {"feature_id": "f\#(json)", "#
            + #""variables_data": {"\#(json)": "\#(json)"}}}"#
        func experience(_ id: String, _ audiences: String, _ environment: String) -> String {
            """
            {"id": "\(id)\(json)", "key": "\(json)\(id)", "name": "\\u0000\(json)", "version": 11,
            "environment": "\(environment)",
            "audiences": [\(audiences)], "goals": ["\(json)"], "locations": [], "\(json)": "\(json)",
            "settings": {"matching_options": {"audiences": "any"}}, "variations": [
            {"id": "\(id)1\(json)", "key": "\(json)one", "traffic_allocation": \(share), "changes": [\(change)]},
            {"id": "\(id)2\(json)", "key": "\(json)two", "traffic_allocation": \(100 - share)}]}
            """
        }
        return """
            {"account_id": "1\(json)", "project": {"id": "2\(json)", "name": "\(json)"}, "\(json)": 1,
            "audiences": [\(audience("a", "\(leaf), \(pattern)")), \(audience("b", unknown)), \(audience("c", other))],
            "features": [{"id": "f\(json)", "key": "\(json)flow",
            "variables": [{"key": "\(json)", "type": "\(json)"}]}],
            "goals": [{"id": "\(json)", "key": "\(json)"}], "experiences": [\(experience("1", "", "staging")),
            \(experience("2", #""\#(json)a", "\#(json)gone""#, "staging")),
            \(experience("3", #""\#(json)b""#, "staging")),
            \(experience("4", #""\#(json)c""#, "staging")), \(experience("5", "", json))]}
            """
    }

    private static let visitor =
        #"{"visitorId": "\#(json)", "attributes": {"\#(json)": "\u0000\#(json)50"}, "#
        + #""locationProperties": {"\#(json)": "\#(json)"}}"#
    private static let test =
        #"{"name": "\#(json)", "visitorId": "\#(json)", "decisions": {"\#(json)1": "\#(json)"}}"#
    private static let logged =
        #"{"visitorId": "\#(json)", "attributes": {}, "config": "\#(json)", "withheld": ["\#(json)w"], "#
        + #""decisions": {"\#(json)1": "\#(json)", "x": null}}"#
    /// A line of the only config, with a variation that it has.
    private static let plain =
        #"{"visitorId": "\#(json)", "time": "\#(json)", "attributes": {"\#(json)": "\#(json)"}, "#
        + #""decisions": {"\#(json)1": "\#(json)one"}}"#
    private static let rules = """
        {"version": 1, "rules": [{"condition": {"type": "group", "definition": {"logic": "or", "conditions": [
        {"type": "matcher", "definition": {"key": "\(json)", "matcher": "eq", "values": ["\(json)"]}},
        {"type": "matcher", "definition": {"key": "k", "matcher": "\(json)", "values": ["\(json)"]}}]}},
        "consequences": [{"id": "\(json)", "type": "\(json)", "detail": {"\(json)": "\(json)"}}]}]}
        """
    private static let event = #"{"type": "\#(json)", "source": "\#(json)", "data": {"\#(json)": "\#(json)"}}"#
    private static let vectors = """
        {"kind": "hash", "cases": [{"name": "\(json)", "key": "\(json)", "seed": 1, "hash": 0},
        {"name": "\(json)", "\(json)": 1}]}
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "config.json": Self.config(50), "new.json": Self.config(40), "rules.json": Self.rules,
            "visitors.jsonl": Self.visitor + "\n" + #"{"\#(Self.json)": 1}"# + "\n",
            "visitor.jsonl": Self.visitor + "\n", "tests.json": #"{"tests": [\#(Self.test)]}"#,
            "visitors.csv": "visitorId,\"\(Self.hostile)\"\nv,\"\(Self.hostile)\"\nw,\"x\"\(Self.hostile)\n",
            "twice.csv": "visitorId,\"\(Self.hostile)\",\"\(Self.hostile)\"\nv,1,2\n",
            "log.jsonl": Self.logged + "\n" + #"{"visitorId": "\#(Self.json)", "\#(Self.json)": 1}"# + "\n",
            "plain.jsonl": Self.plain + "\n", "vectors/v.json": Self.vectors,
            "vectors/kind.json": #"{"kind": "\#(Self.json)", "cases": []}"#,
            "text.json": Self.hostile,
        ])
    }

    private func path(_ name: String) -> String { folder.file(name).path }

    private var lines: [String: [[String]]] { lines(fetchingFrom: "http://127.0.0.1:1") }

    /// Command lines that do something, by command.
    private func lines(fetchingFrom endpoint: String) -> [String: [[String]]] {
        let hostile = Self.hostile
        let config = ["--config", path("config.json")]
        let visitor = [
            "--visitor", hostile, "--attribute", "\(hostile)=\(hostile)50", "--location", "\(hostile)=\(hostile)",
        ]
        let (jsonLines, csv) = (path("visitors.jsonl"), path("visitors.csv"))
        let rules = [path("rules.json"), "--event", Self.event]
        var lines: [String: [[String]]] = [:]
        lines["decide"] = [config + visitor + ["--explain"], config + visitor + ["--explain", "--json"]]
        lines["features"] = lines["decide"]
        lines["lint"] = [[path("config.json")], [path("config.json"), "--json"]]
        let both = [path("config.json"), path("new.json")]
        lines["diff"] = [both, both + ["--json"], both + ["--visitors", jsonLines]]
        lines["assign"] = [
            config + ["--input", jsonLines], config + ["--input", jsonLines, "--echo", "--features", "--reasons"],
            config + ["--input", csv, "--format", "csv"], config + ["--input", path("twice.csv"), "--format", "csv"],
            config + ["--input", jsonLines, "--long", "--output-format", "jsonl"],
        ]
        lines["replay"] = [config + [path("log.jsonl")], config + ["--config", path("new.json"), path("log.jsonl")]]
        lines["simulate"] = [
            config + ["--generate", "200"], config + ["--generate", "200", "--json"],
            config + ["--visitors", jsonLines],
            config + ["--generate", "200", "--baseline", "4%", "--per-day", "1000"],
        ]
        lines["srm"] = [
            config + ["--experience", hostile, "--counts", "{}"],
            config + ["--experience", hostile + "1", "--counts", #"{"\#(Self.json)one": 5}"#],
            config + ["--experience", hostile + "1", "--counts", #"{"\#(Self.json)none": 5}"#],
            config + ["--log", path("plain.jsonl"), "--by", hostile],
        ]
        lines["fetch"] = [["--sdk-key", "1/2", "--endpoint", endpoint]]
        lines["keys"] = [config, config + ["--swift"], config + ["--swift", "--public"]]
        lines["schema"] = [["config"], [], [hostile]]
        lines["test"] = [
            config + [path("tests.json")], config + ["--record", "--visitors", path("visitor.jsonl")],
            config + ["--record", "--features", "--visitors", path("visitor.jsonl")],
        ]
        // Standard input is empty, which the response says.
        lines["ofrep"] = [config, config + ["--flag", hostile + "1"]]
        lines["rules"] = [
            rules + ["--explain"], rules + ["--explain", "--json"], [path("text.json"), "--event", Self.event],
        ]
        lines["vectors"] = [
            [path("vectors")], [path("vectors/v.json"), path("vectors/kind.json"), path("text.json")],
        ]
        lines["regex"] = [["(?<n>[^]*)", hostile], ["(" + hostile, "x"], ["^" + hostile + "$", hostile]]
        lines["completions"] = [["bash"], ["zsh"], ["fish"]]
        lines["help"] = [[], ["decide"]]
        return lines
    }

    /// Runs the tool and checks what it prints.
    @discardableResult
    private func run(_ arguments: [String], allowing tools: String = "\n") throws -> Tool.Run {
        let run = try Tool.run(arguments)
        for (name, text) in [("output", run.output), ("errors", run.errors)] {
            let raw = text.unicodeScalars.filter { Self.isHidden($0) && !tools.unicodeScalars.contains($0) }
            let values = Set(raw.map(\.value)).sorted().map { String($0, radix: 16) }
            #expect(raw.isEmpty, "\(name) of \(arguments.map(\.debugDescription)) has \(values)")
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }, "\(arguments)")
        }
        return run
    }

    /// By the database of characters, apart from what the tool goes by.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    @Test func everyCommandIsTried() { #expect(Set(lines.keys) == Set(CommandList.names)) }

    @Test(arguments: CommandList.names) func noCommandPrintsWhatCommandsATerminal(command: String) throws {
        let server = try TestServer(.status(200, body: Self.config(50)))
        defer { server.stop() }
        let lines = lines(fetchingFrom: server.url("/api").absoluteString)
        let runs = try #require(lines[command]).map { try run([command] + $0) }
        #expect(runs.contains { $0.status < 2 }, "at least one does its work: \(runs.map(\.errors))")
    }

    @Test(arguments: CommandList.names) func noOptionPrintsWhatCommandsATerminal(command: String) throws {
        let declaration = try CommandList.command(command).declaration
        let line = [command] + (try #require(lines[command]?.first))
        for option in declaration.allOptions {
            guard let value = option.value else {
                // CSV cannot escape characters. What a program reads is as it was; a terminal gets text for people.
                try run(line + [option.name] + (option.name == "--long" ? ["--output-format=jsonl"] : []))
                continue
            }
            // A file of that name could be made.
            let isFile = if case .files = value.candidates { true } else { false }
            let text = (isFile ? "/no/" : "") + Self.hostile
            try run(line + ["\(option.name)=\(text)"])
            try run([command, option.name, text])
        }
        try run(line + ["--\(Self.hostile)"])
        try run(line + ["-\(Self.hostile)"])
        try run(line + [Self.hostile, Self.hostile])
    }

    @Test func unknownCommandsAndCompletionsEscapeHostileText() throws {
        let hostile = Self.hostile
        for arguments in [[hostile], ["help", hostile], ["--version", hostile], ["completions", hostile]] {
            try run(arguments)
        }
        for option in ["--experience", "--force", "--preview", "--environment"] {
            let run = try run(
                ["complete", "decide", "--config", path("config.json"), option, ""], allowing: "\n\t")
            #expect(!run.output.isEmpty)
        }
    }

    @Test(arguments: ["lint", "diff", "simulate", "replay", "srm"]) func noPageHasThem(command: String) throws {
        let page = path("page.html")
        // Counts have no page, a log has.
        let line = try #require(command == "srm" ? lines[command]?.last : lines[command]?.first)
        try run([command] + line + ["--html", page])
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(!text.unicodeScalars.contains { Self.isHidden($0) && $0 != "\n" })
    }

    @Test func escapedJSONReadsAsWhatItWas() throws {
        let run = try run(["assign", "--config", path("config.json"), "--input", path("visitors.jsonl"), "--echo"])
        let line = try #require(run.output.split(separator: "\n").first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["visitorId"] as? String == Self.hostile)
        #expect((object["attributes"] as? [String: String])?[Self.hostile] == "\u{0}\(Self.hostile)50")
    }
}
