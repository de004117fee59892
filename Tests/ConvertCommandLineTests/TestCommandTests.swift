import Foundation
import Testing

struct TestCommandTests {
    @Test func recordedTestsPass() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(#"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n" + #"{"visitorId":"v2"}"#) {
                visitors in
                let recorded = try Tool.run("test", "--record", "--config", config, "--visitors", visitors)
                #expect(recorded.status == 0, "\(recorded.errors)")
                try Tool.withFile(recorded.output) { tests in
                    let run = try Tool.run("test", "--config", config, tests)
                    #expect(run.status == 0 && run.output == "2 passed, 0 failed\n", "\(run.errors)")
                    let other = DecideCommandTests.config.replacing(#""value": "pro""#, with: #""value": "free""#)
                    try Tool.withFile(other) { other in
                        let changed = try Tool.run("test", "--config", other, tests)
                        #expect(changed.status == 1 && changed.output.hasSuffix("1 passed, 1 failed\n"))
                        #expect(changed.output.contains("expected original, got none (audienceNotMatched)"))
                    }
                }
            }
        }
    }

    @Test func aRenamedExperienceIsSaidOnceWithItsTestsBeforeTheOtherFailures() throws {
        let renamed = (0..<20).map { #"{"visitorId":"a\#($0)","decisions":{"chekout":null}}"# }
        let wrong = #"{"visitorId":"v1","decisions":{"checkout":"green","chekout":null}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile((renamed + [wrong]).joined(separator: "\n")) { file in
                let run = try Tool.run("test", "--config", config, file)
                let lines = run.output.split(separator: "\n")
                #expect(lines.first?.hasPrefix("failed 21 tests: ") == true, "\(run.output)")
                #expect(lines.filter { $0.contains("chekout") }.count == 1)
                #expect(lines.dropFirst(2).first?.contains("checkout: expected green") == true)
                #expect(run.output.hasSuffix("0 passed, 21 failed\n"))
            }
        }
    }

    @Test func featuresAreRecordedIfTheyAreWanted() throws {
        func config(_ size: Int) -> String {
            #"""
            {"account_id":"1","project":{"id":"2"},"features":[{"id":"7","key":"form","variables":[]}],
             "experiences":[{"id":"10","key":"checkout","version":10,"variations":[
              {"id":"101","key":"a","traffic_allocation":100,"changes":[
               {"type":"fullStackFeature","data":{"feature_id":"7","variables_data":{"size":\#(size)}}}]}]}]}
            """#
        }
        func record(_ arguments: String...) throws -> String {
            try Tool.withFile(config(1)) {
                let command = ["test", "--record", "--config", $0, "--visitors", "-"]
                return try Tool.run(command + arguments, input: #"{"visitorId":"v1"}"#).output
            }
        }
        let (plain, full) = (try record(), try record("--features"))
        try Tool.withFile(config(2)) { changed in
            let same = try Tool.withFile(plain) { try Tool.run("test", "--config", changed, $0) }
            #expect(same.status == 0 && same.output == "1 passed, 0 failed\n", "\(same.output)")
            let other = try Tool.withFile(full) { try Tool.run("test", "--config", changed, $0) }
            #expect(other.status == 1 && other.output.contains("form: expected"), "\(other.output)\(other.errors)")
        }
    }

    @Test func recordedTestsOfOneVisitorHaveDifferentNames() throws {
        let visitors = (0..<3).map { _ in #"{"visitorId":"v1"}"# }.joined(separator: "\n")
        try Tool.withFile(DecideCommandTests.config) { config in
            let arguments = ["test", "--record", "--config", config, "--visitors", "-"]
            let run = try Tool.run(arguments, input: visitors)
            for name in ["v1", "v1 (2)", "v1 (3)"] {
                #expect(run.output.contains(#""name":"\#(name)""#), "\(run.output)")
            }
        }
    }

    @Test func testsMayHaveCommentsAndResultsAreWrittenAsXML() throws {
        let tests = """
            // "tests" of one experience
            {"tests": [ /* a "visitor" */
              {"name": "a <b>", "visitorId": "v1", "attributes": {"plan": "http://x"},
              "decisions": {"checkout": "none"}},
              {"visitorId": "v2", "decisions": {"chekout": null}}
            ]}
            """
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(tests) { file in
                let page = file + ".xml"
                defer { try? FileManager.default.removeItem(atPath: page) }
                let run = try Tool.run("test", "--config", config, file, "--junit", page)
                #expect(
                    run.status == 1 && run.output.contains("did you mean 'checkout'?"), "\(run.output)\(run.errors)")
                let xml = try String(contentsOfFile: page, encoding: .utf8)
                #expect(xml.contains(#"tests="2" failures="2""#) && xml.contains(#"name="a &lt;b&gt;""#))
            }
        }
    }

    @Test func anInvalidTestIsRefused() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            for text in [
                "{", "[]", "{\"tests\": [1]}", "{\"tests\": [{\"visitorId\": \"v\"}]}", "{\"tests\": []}",
                #"{"tests": [{"visitorId": "v", "decisions": {}}]}"#,
                #"{"tests": [{"visitorId": "v", "call": {"features": true}, "features": {}}]}"#,
            ] {
                try Tool.withFile(text) { file in
                    let run = try Tool.run("test", "--config", config, file)
                    #expect(run.status == 2, "\(text)")
                }
            }
            #expect(try Tool.run("test", "--config", config).status == 2)
            #expect(try Tool.run("test", "--config", config, "--record").status == 2)
        }
    }

    @Test func aMisspelledMemberOfATestIsNamed() throws {
        let tests = #"{"tests": [{"visitorId": "v1", "decision": {"checkout": null}}]}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(tests) { file in
                let run = try Tool.run("test", "--config", config, file)
                let message = "tests[0] has the unknown member 'decision'; did you mean 'decisions'?\n"
                #expect(run.status == 2 && run.errors.hasSuffix(message), "\(run.errors)")
            }
        }
    }

    @Test func anExpectedVariationThatTheConfigDoesNotHaveIsNamed() throws {
        let tests =
            #"{"tests": [{"visitorId": "v1", "attributes": {"plan": "pro"}, "decisions": {"checkout": "orginal"}}]}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(tests) { file in
                let run = try Tool.run("test", "--config", config, file)
                let message =
                    "checkout: expected orginal, got original (bucketed); the experience has no variation 'orginal'; "
                    + "did you mean 'original'?\n"
                #expect(run.status == 1 && run.output.contains(message), "\(run.output)")
            }
        }
    }

    @Test(arguments: [
        (#""decisions": {"checkout": ""}"#, "write null to expect no variation"),
        (#""decisions": {"9": "original"}"#, "it is the id of 'checkout': write the key"),
        (#""stored": {"bucketing": {"checkout": "91"}}, "decisions": {"checkout": "x"}"#, "'checkout' is a key"),
    ])
    func anIDOrAKeyInTheWrongPlaceIsNamed(members: String, message: String) throws {
        let test = #"{"tests": [{"visitorId": "v1", "attributes": {"plan": "pro"}, \#(members)}]}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(test) { file in
                let run = try Tool.run("test", "--config", config, file)
                #expect(run.status == 1 && (run.output + run.errors).contains(message), "\(run.output)\(run.errors)")
            }
        }
    }

    @Test func twoMembersOfOneNameAreRefused() throws {
        let tests = #"{"tests":[{"visitorId":"v1","decisions":{"checkout":"original","checkout":null}}]}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            let run = try Tool.withFile(tests) { try Tool.run("test", "--config", config, $0) }
            #expect(run.status == 2 && run.errors.contains("an object has two members 'checkout'"))
        }
    }

    @Test func visitorsOfACSVFileAreRecorded() throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let arguments = ["test", "--record", "--config", config, "--visitors", "-"]
            let csv = "visitorId,plan\nv1,pro\n"
            let run = try Tool.run(arguments + ["--format", "csv"], input: csv)
            #expect(run.status == 0 && run.output.contains(#""decisions":{"checkout":"original"}"#))
            #expect(try Tool.run(arguments, input: csv).errors.contains("choose the format 'csv'"))
        }
    }

    @Test func aDecisionLogIsAFileOfTests() throws {
        let visitors = #"{"visitorId":"v1","attributes":{"plan":"pro"}}"# + "\n" + #"{"visitorId":"v2"}"# + "\n"
        try Tool.withFile(DecideCommandTests.config) { config in
            let log = try Tool.run("assign", "--config", config, "--echo", input: visitors).output
            try Tool.withFile(log + "\n" + #"{"visitorId":"v3","decisions":{}}"# + "\n") { tests in
                let run = try Tool.run("test", "--config", config, tests)
                #expect(run.status == 0 && run.output == "2 passed, 0 failed\n", "\(run.output)\(run.errors)")
            }
            try Tool.withFile(log.replacing(#""original""#, with: "null")) { tests in
                let run = try Tool.run("test", "--config", config, tests)
                #expect(run.status == 1 && run.output.contains("failed v1 (line 1)"), "\(run.output)\(run.errors)")
            }
            try Tool.withFile(log + #"{"visitorId":"v"}"#) { tests in
                let run = try Tool.run("test", "--config", config, tests)
                #expect(run.status == 2 && run.errors.contains("line 3: $.decisions: it is missing"), "\(run.errors)")
            }
        }
    }

    @Test func whatALineWithholdsIsUnknowable() throws {
        let test = #"{"visitorId": "v1", "withheld": ["plan"], "decisions": {"checkout": "original"}}"#
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile("{\"tests\": [\(test)]}") { file in
                let page = file + ".xml"
                defer { try? FileManager.default.removeItem(atPath: page) }
                let run = try Tool.run("test", "--config", config, file, "--junit", page)
                let output = "0 passed, 0 failed, 1 cannot be known because properties are withheld\n"
                #expect(run.status == 0 && run.output == output, "\(run.output)")
                let xml = try String(contentsOfFile: page, encoding: .utf8)
                #expect(xml.contains(#"skipped="1""#) && xml.contains(#"<skipped message="withheld: plan"/>"#))
            }
        }
    }
}
