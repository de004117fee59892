import ConvertTestSupport
import Foundation
import Testing

struct VectorsCommandTests {
    private static func file(expect: String) -> String {
        #"{"kind": "lowercase", "source": "a test", "cases": [{"name": "one", "input": "A", "expect": "\#(expect)"}]}"#
    }

    @Test func agreementEndsWithTheTally() throws {
        try Tool.withFile(Self.file(expect: "a")) { file in
            let run = try Tool.run("vectors", file)
            #expect(run.status == 0)
            #expect(run.output == "1 passed, 0 failed\n")
        }
    }

    @Test func aMismatchNamesFileCaseAndBothAnswers() throws {
        try Tool.withFile(Self.file(expect: "b")) { file in
            let run = try Tool.run("vectors", file)
            #expect(run.status == 1)
            #expect(
                run.output == #"\#(file)[0] "one": expected "b", got "a""# + "\n0 passed, 1 failed\n")
        }
    }

    @Test func aPathWithoutVectorsIsAFailure() throws {
        let run = try Tool.run("vectors", "/no/such/folder")
        #expect(run.status == 1)
        #expect(run.output.hasSuffix("0 passed, 1 failed\n"))
    }

    @Test func inFoldersJSONOfAnotherSortIsPassedOverAndCounted() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("vectors")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (name, text) in [("a", Self.file(expect: "a")), ("b", #"{"account_id": "1"}"#), ("c", "[1]")] {
            try Data(text.utf8).write(to: place.appending(path: "\(name).json"))
        }
        let run = try Tool.run("vectors", place.path)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output == "passed over 2 JSON files without a 'kind'\n1 passed, 0 failed\n")
        // Named by itself it is meant.
        let other = try Tool.run("vectors", place.appending(path: "b.json").path)
        #expect(other.status == 1 && other.output.contains("it has no 'kind'"))
        try Data("{".utf8).write(to: place.appending(path: "d.json"))
        #expect(try Tool.run("vectors", place.path).output.hasSuffix("1 passed, 1 failed\n"))
    }

    @Test func aFolderWithoutVectorsIsAFailure() throws {
        let folder = try TemporaryFolder()
        try Data("{}".utf8).write(to: folder.file("a.json"))
        let run = try Tool.run("vectors", folder.file("a.json").deletingLastPathComponent().path)
        #expect(run.status == 1 && run.output.contains("no vector file found"))
    }
}
