import ConvertTestSupport
@testable import ConvertParityVectors
import Testing

struct VectorRunnerTests {
    /// What a run over a folder of `files` came to.
    private func run(_ files: [String: String], at path: String = "") async throws -> (VectorRunner.Tally, [String]) {
        try await withTemporaryFolder(files) { folder in
            var lines: [String] = []
            let tally = await VectorRunner { lines.append($0.replacing(folder + "/", with: "")) }.run(paths: [
                folder + path
            ])
            return (tally, lines)
        }
    }

    @Test func agreeingCasesPassWithoutALine() async throws {
        let file = #"{"kind": "lowercase", "cases": [{"input": "A", "expect": "a"}, {"input": "B", "expect": "b"}]}"#
        let (tally, lines) = try await run(["a.json": file])
        #expect(tally == .init(passed: 2, failed: 0))
        #expect(lines.isEmpty)
    }

    @Test func aMismatchNamesFileCaseExpectationAndAnswer() async throws {
        let file = #"""
            {"kind": "lowercase", "cases": [
                {"input": "A", "expect": "a"}, {"name": "a wrong one", "input": "A", "expect": "b"}]}
            """#
        let (tally, lines) = try await run(["a.json": file])
        #expect(tally == .init(passed: 1, failed: 1))
        #expect(lines == [#"a.json[1] "a wrong one": expected "b", got "a""#])
    }

    @Test func aReportIsOneLineWhateverTheTextInIt() async throws {
        let (_, lines) = try await run([
            "a.json": #"{"kind": "lowercase", "cases": [{"input": "A\nB", "expect": "\n"}]}"#
        ])
        #expect(lines == [#"a.json[0]: expected "\n", got "a\nb""#])
    }

    @Test func filesInSubfoldersAreReplayedInTheOrderOfTheirPaths() async throws {
        let wrong = #"{"kind": "lowercase", "cases": [{"input": "A", "expect": "b"}]}"#
        let (_, lines) = try await run(["b/one.json": wrong, "a/two.json": wrong, "a/notes.txt": "no vectors"])
        #expect(lines.map { $0.prefix { $0 != "[" } } == ["a/two.json", "b/one.json"])
    }

    @Test func anUnknownKindIsAFailure() async throws {
        let (tally, lines) = try await run(["a.json": #"{"kind": "telepathy", "cases": [{}]}"#])
        #expect(tally == .init(passed: 0, failed: 1))
        #expect(lines == ["a.json: vectors of kind 'telepathy' are not supported"])
    }

    @Test func unknownSemanticsAreAFailure() async throws {
        let (tally, _) = try await run(["a.json": #"{"kind": "rules", "semantics": "mobile", "cases": []}"#])
        #expect(tally == .init(passed: 0, failed: 1))
    }

    @Test(arguments: ["", "{", "[]", "3", #"{"cases": []}"#, #"{"kind": "hash"}"#, #"{"kind": 1, "cases": []}"#])
    func aFileThatIsNoVectorFileIsAFailure(content: String) async throws {
        let (tally, lines) = try await run(["a.json": content], at: "/a.json")
        #expect(tally == .init(passed: 0, failed: 1))
        #expect(lines.first?.hasPrefix("a.json: not a vector file (") == true)
    }

    @Test(arguments: ["[]", "3", #"{"cases": []}"#])
    func inAFolderJSONWithoutAKindIsPassedOver(content: String) async throws {
        let vectors = #"{"kind": "lowercase", "cases": [{"input": "A", "expect": "a"}]}"#
        let (tally, lines) = try await run(["a.json": content, "b.json": vectors])
        #expect(tally == .init(passed: 1, failed: 0, skippedFiles: 1))
        #expect(lines.isEmpty)
    }

    @Test func aMalformedCaseFailsAloneAndIsNamed() async throws {
        let file = #"""
            {"kind": "hash", "cases": [
                {"name": "no seed", "key": "", "expect": 0}, {"key": "", "seed": 0, "expect": 0}, 7]}
            """#
        let (tally, lines) = try await run(["a.json": file])
        #expect(tally == .init(passed: 1, failed: 2))
        #expect(lines.first == #"a.json[0] "no seed": malformed case: no member 'seed' at $.cases[0]"#)
        #expect(lines.last?.hasPrefix("a.json[2]: malformed case: ") == true)
    }

    @Test func aFileWithoutCasesIsAFailure() async throws {
        let (tally, lines) = try await run(["a.json": #"{"kind": "hash", "cases": []}"#])
        #expect(tally == .init(passed: 0, failed: 1))
        #expect(lines == ["a.json: holds no cases"])
    }

    @Test func aFolderWithoutVectorsIsAFailure() async throws {
        let (tally, lines) = try await run(["notes.txt": "no vectors"])
        #expect(tally == .init(passed: 0, failed: 1))
        #expect(lines.first?.hasSuffix(": no vector file found; give a .json file or a folder of them") == true)
    }

    @Test(arguments: ["/missing", "/missing.json"])
    func aMissingPathIsAFailure(path: String) async throws {
        let (tally, lines) = try await run(["notes.txt": "no vectors"], at: path)
        #expect(tally == .init(passed: 0, failed: 1))
        #expect(lines.first?.contains(": there is no file '") == true)
    }

    @Test func noPathsAreNoCases() async {
        #expect(await VectorRunner { _ in }.run(paths: []) == .init())
    }
}
