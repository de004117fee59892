import ConvertParityVectors
import Foundation
import Testing

struct RecordedAnswersTests {
    /// One folder for each kind of vectors. Configs and workloads are inputs; they record no answers.
    static let kinds = [
        "bucket", "bucketValue", "comparisons", "decisions", "hash", "lowercase", "numbers", "regex", "rules",
    ]

    @Test(arguments: kinds) func everyRecordedAnswerIsReproduced(kind: String) {
        var mismatches: [String] = []
        let tally = VectorRunner { mismatches.append($0) }.run(paths: [testVectors.appending(path: kind).path])
        #expect(tally.failed == 0, "\(mismatches.joined(separator: "\n"))")
    }

    @Test func noneOfTheRecordedCasesIsLost() {
        let paths = Self.kinds.map { testVectors.appending(path: $0).path }
        let tally = VectorRunner { _ in }.run(paths: paths)
        #expect(tally.passed + tally.failed >= 14_000)
    }

    @Test func everyFolderOfAnswersIsReplayed() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            at: testVectors, includingPropertiesForKeys: [.isDirectoryKey])
        let names = folders.filter(\.hasDirectoryPath).map(\.lastPathComponent)
        #expect(Set(names) == Set(Self.kinds + ["configs", "workloads"]))
    }
}

private let testVectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "TestVectors")
