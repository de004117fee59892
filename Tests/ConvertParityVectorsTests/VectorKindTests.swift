import ConvertTestSupport
@testable import ConvertParityVectors
import Testing

/// For every kind a recorded answer that is right and one that is wrong, so that no replay says yes to everything.
struct VectorKindTests {
    static let kinds: [(kind: String, right: String, wrong: String)] = [
        (
            "comparisons", #"{"op": "equals", "value": "A", "against": "a", "negated": false, "expect": true}"#,
            #"{"op": "equals", "value": "A", "against": "a", "negated": false, "expect": false}"#
        ),
        ("hash", #"{"key": "test", "seed": 0, "expect": 3127628307}"#, #"{"key": "test", "seed": 1, "expect": 0}"#),
        (
            "json", #"{"text": "{\"b\":-0,\"1\":[],\"b\":-0}", "expect": "{\"1\":[],\"b\":{\"$number\":\"-0\"}}"}"#,
            #"{"text": "{\"b\":0,\"1\":[]}", "expect": "{\"b\":0,\"1\":[]}"}"#
        ),
        ("json", #"{"text": "[1,]", "expect": "error"}"#, #"{"text": "[1]", "expect": "error"}"#),
        ("lowercase", #"{"input": "İ", "expect": "i̇"}"#, #"{"input": "İ", "expect": "i"}"#),
        (
            "numbers", #"{"fn": "toString", "input": {"$number": "-0"}, "expect": "0"}"#,
            #"{"fn": "toNumber", "input": "0", "expect": {"$number": "-0"}}"#
        ),
        ("numbers", #"{"fn": "isNumeric", "input": "1", "expect": true}"#, #"{"fn": "sqrt", "input": 1, "expect": 1}"#),
        (
            "bucketValue", #"{"visitorId": "v", "experienceId": "e", "maxTraffic": 1, "expect": 0}"#,
            #"{"visitorId": "v", "experienceId": "e", "expect": 10000}"#
        ),
        (
            "bucket", #"{"experience": {"id": "1", "variations": [{"id": "2"}]}, "visitorId": "v", "expect": "2"}"#,
            #"{"experience": {"id": "1", "variations": [{"id": "2"}]}, "visitorId": "v", "expect": null}"#
        ),
        (
            "regex", #"{"pattern": "(b)", "input": "aB", "expect": true, "match": [1, 2], "captures": ["B"]}"#,
            #"{"pattern": "(b)", "input": "aB", "expect": true, "match": [1, 2], "captures": ["b"]}"#
        ),
        (
            "regex", #"{"pattern": "b", "flags": "", "input": "B", "expect": false}"#,
            #"{"pattern": "b", "input": "aB", "expect": true, "match": [0, 1]}"#
        ),
        (
            "regex", #"{"pattern": "[", "input": "", "expect": "error"}"#,
            #"{"pattern": "[", "input": "", "expect": false}"#
        ),
        ("rules", #"{"rules": {"OR": [null]}, "data": {}, "expect": "error"}"#, #"{"rules": {}, "expect": true}"#),
        (
            "decisions", #"{"config": \#(config), "steps": [\#(run), "expect": null}]}"#,
            #"{"config": \#(config), "steps": [\#(run), "expect": {}}]}"#
        ),
    ]

    private static let config = #"{"account_id": "1", "project": {"id": "2"}}"#
    private static let run = #"{"call": "runExperience", "visitor": "v", "key": "k""#

    private func run(_ kind: String, semantics: String? = nil, _ testCase: String) async throws -> VectorRunner.Tally {
        let semantics = semantics.map { #", "semantics": "\#($0)""# } ?? ""
        let file = #"{"kind": "\#(kind)"\#(semantics), "cases": [\#(testCase)]}"#
        return try await withTemporaryFolder(["a.json": file]) { folder in
            await VectorRunner { _ in }.run(paths: [folder])
        }
    }

    @Test(arguments: kinds) func aRightAnswerPasses(kind: String, right: String, wrong: String) async throws {
        #expect(try await run(kind, right) == .init(passed: 1, failed: 0))
    }

    @Test(arguments: kinds) func aWrongAnswerFails(kind: String, right: String, wrong: String) async throws {
        #expect(try await run(kind, wrong) == .init(passed: 0, failed: 1))
    }

    @Test(
        arguments: [
            (#"{"op": "eq", "value": "A", "against": ["b", "a"], "negated": false, "expect": true}"#, true),
            (#"{"op": "eq", "value": "A", "against": ["b", "a"], "negated": true, "expect": true}"#, false),
            (#"{"op": "eq", "value": "A", "against": "a", "negated": false, "expect": true}"#, false),
        ])
    func mobileMatchersCompareWithAListOfValues(testCase: String, isRight: Bool) async throws {
        let tally = try await run("comparisons", semantics: "mobile", testCase)
        #expect(tally == .init(passed: isRight ? 1 : 0, failed: isRight ? 0 : 1))
    }
}
