import Foundation
import Testing

struct EnvironmentNoteTests {
    private static func config(_ environments: String...) -> String {
        let experiences = environments.enumerated().map { index, environment in
            #"{"id": "\#(index)", "key": "e\#(index)", "environment": "\#(environment)", "#
                + #""variations": [{"id": "\#(index)1"}]}"#
        }
        let list = experiences.joined(separator: ", ")
        return #"{"account_id": "1", "project": {"id": "2"}, "features": [], "experiences": [\#(list)]}"#
    }

    private static let commands = [
        ["decide", "--visitor", "v"], ["features", "--visitor", "v"], ["assign"], ["simulate", "--generate", "10"],
    ]

    private func run(_ command: [String], _ arguments: [String], _ config: String) throws -> Tool.Run {
        try Tool.withFile(config) { try Tool.run(command + ["--config", $0] + arguments) }
    }

    @Test(arguments: commands) func anEnvironmentWhereNoExperienceRunsIsSaid(command: [String]) throws {
        let run = try run(command, [], Self.config("production", "qa"))
        #expect(run.status == 0)
        #expect(
            run.complaints == [
                "convert-sdk: warning: neither the project nor an experience names the environment 'staging'; they "
                    + "name 'production', 'qa'; give another one with --environment"
            ])
    }

    @Test(arguments: commands) func anUnknownEnvironmentIsSaidWithTheNearest(command: [String]) throws {
        let run = try run(command, ["--environment", "prodcution"], Self.config("production", ""))
        #expect(
            run.complaints == [
                "convert-sdk: warning: neither the project nor an experience names the environment 'prodcution', so "
                    + "only experiences that name none run there; the names are 'production'; did you mean "
                    + "'production'? give another one with --environment"
            ])
    }

    @Test(arguments: [
        ["replay", "-"], ["replay", "-", "--visitor", "v", "--explain"], ["decide", "--log-line", "-"],
        ["srm", "--log", "-"],
    ])
    func anUnknownEnvironmentOfALogIsSaidWithTheNearest(command: [String]) throws {
        let log = #"{"visitorId":"v","environment":"Production","decisions":{"e0":null}}"# + "\n"
        let run = try Tool.withFile(Self.config("production")) {
            try Tool.run(command + ["--config", $0], input: log)
        }
        let said = run.output + run.errors
        #expect(said.contains("the environment 'Production'; they name 'production'; did you mean 'production'?"))
    }

    @Test func anUnknownEnvironmentOfTestsIsSaidOnceWithTheNumberOfItsTests() throws {
        let test = #"{"visitorId": "v", "environment": "prodcution", "decisions": {"e0": null}}"#
        let other = #"{"visitorId": "v", "decisions": {"e0": null}}"#
        try Tool.withFile(Self.config("production")) { config in
            try Tool.withFile(#"{"tests": [\#(test), \#(other), \#(test)]}"#) { tests in
                let run = try Tool.run("test", tests, "--config", config, "--environment", "qa")
                let unknown = "neither the project nor an experience names the environment"
                #expect(
                    run.complaints == [
                        "convert-sdk: warning: 2 tests: \(unknown) 'prodcution'; they name 'production'; did you mean "
                            + "'production'?",
                        "convert-sdk: warning: 1 test: \(unknown) 'qa'; they name 'production'",
                    ])
            }
        }
    }

    @Test func testsWithoutAnEnvironmentRunInTheUsualOne() throws {
        let tests = #"{"tests": [{"visitorId": "v", "decisions": {"e0": null}}]}"#
        func complaints(_ environments: String...) throws -> String {
            try Tool.withFile(tests) { file in
                try Tool.withFile(Self.config(environments[0], environments[1])) { config in
                    try Tool.run("test", file, "--config", config).errors
                }
            }
        }
        #expect(try complaints("production", "qa").contains("names the environment 'staging'"))
        #expect(try complaints("production", "").isEmpty, "an experience runs there")
    }

    @Test func theWarningsOfAReplayAreInItsJSONAndOnItsPage() throws {
        let log = #"{"visitorId":"v","environment":"Production","decisions":{"e0":null}}"# + "\n"
        try Tool.withFile(Self.config("production")) { config in
            try Tool.withFile("") { page in
                let run = try Tool.run("replay", "-", "--config", config, "--json", "--html", page, input: log)
                #expect(run.output.contains(#""environmentWarnings":[{"environment":"Production","lines":1"#))
                let html = try String(contentsOfFile: page, encoding: .utf8)
                #expect(html.contains("<p>1 line: neither the project nor an experience names the environment"))
            }
        }
    }

    @Test func linesWithoutAnEnvironmentAreReplayedInTheUsualOne() throws {
        let log = #"{"visitorId":"v","decisions":{"e0":null}}"# + "\n"
        let run = try Tool.withFile(Self.config("production")) {
            try Tool.run("replay", "-", "--config", $0, input: log)
        }
        #expect(run.errors.contains("warning: 1 lines: neither the project nor an experience names the environment"))
    }

    @Test(arguments: commands) func anEnvironmentWhereExperiencesRunIsNotMentioned(command: [String]) throws {
        let cases: [(config: String, arguments: [String])] = [
            (Self.config("production", ""), []), (Self.config("staging", "production"), []),
            (Self.config("production"), ["--environment", "production"]), (Self.config(""), ["--environment", "any"]),
        ]
        for (config, environment) in cases {
            #expect(try run(command, environment, config).errors.isEmpty)
        }
    }

    @Test(arguments: [#"["staging", "production"]"#, #"{"staging": {}, "production": {}}"#])
    func anEnvironmentThatTheProjectDeclaresIsNotMentioned(declared: String) throws {
        let config = Self.config("staging", "").replacing(
            #"{"id": "2"}"#, with: #"{"id": "2", "environments": \#(declared)}"#)
        #expect(try run(["decide", "--visitor", "v"], ["--environment", "production"], config).errors.isEmpty)
        let elsewhere = config.replacing(#""environment": """#, with: #""environment": "staging""#)
        let run = try run(["decide", "--visitor", "v"], ["--environment", "production"], elsewhere)
        #expect(run.errors.contains("no experience runs in the environment 'production'; they run in 'staging'"))
    }

    @Test func aCommandThatDecidesNothingSaysNothing() throws {
        let run = try run(["srm", "--experience", "e0", "--counts", #"{"01": 5}"#], [], Self.config("production"))
        #expect(!run.errors.contains("environment"))
    }

    @Test func anEnvironmentOfADiffIsRefusedWhereNothingIsDecided() throws {
        try Tool.withFile(Self.config("production")) { config in
            let run = try Tool.run("diff", config, config, "-n", "production")
            #expect(run.status == 2 && run.errors.contains("--environment goes with --visitors, --log or --sdk-key"))
            let line = #"{"visitorId": "v", "decisions": {"e0": null}}"#
            let unknown = try Tool.run("diff", config, config, "--log", "-", "-n", "nowhere", input: line)
            #expect(unknown.errors.contains("nor an experience names the environment 'nowhere'"), "\(unknown.errors)")
            #expect(try Tool.run("diff", config, config, "--log", "-", "-n", "production", input: line).errors.isEmpty)
        }
    }

    @Test func theNewConfigOfADiffCounts() throws {
        let visitor = #"{"visitorId": "v"}"#
        try Tool.withFile(Self.config("staging")) { old in
            try Tool.withFile(Self.config("production")) { new in
                let run = try Tool.run("diff", old, new, "--visitors", "-", input: visitor)
                #expect(run.errors.contains("nor an experience names the environment 'staging'"))
                #expect(try Tool.run("diff", old, new).errors.isEmpty)
            }
        }
    }
}
