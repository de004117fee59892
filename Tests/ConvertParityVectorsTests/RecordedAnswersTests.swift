import ConvertParityVectors
import Foundation
import Testing

struct RecordedAnswersTests {
    /// One folder for each kind of vectors, and how many answers it holds at least. Configs, seeds and workloads are
    /// inputs; they record no answers.
    static let kinds = [
        ("bucket", 501), ("bucketValue", 300), ("comparisons", 4_327), ("decisions", 272), ("hash", 300),
        ("json", 848), ("lowercase", 300), ("mobileRules", 292), ("numbers", 480), ("regex", 10_232), ("rules", 1_948),
    ]

    @Test(arguments: kinds) func everyRecordedAnswerIsReproduced(kind: String, count: Int) async {
        var mismatches: [String] = []
        let tally = await VectorRunner { mismatches.append($0) }.run(paths: [testVectors.appending(path: kind).path])
        #expect(tally.failed == 0, "\(mismatches.joined(separator: "\n"))")
        #expect(tally.passed >= count)
    }

    @Test func everyFolderOfAnswersIsReplayed() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            at: testVectors, includingPropertiesForKeys: [.isDirectoryKey])
        let names = folders.filter(\.hasDirectoryPath).map(\.lastPathComponent)
        #expect(Set(names) == Set(Self.kinds.map(\.0) + ["configs", "simulation", "workloads"]))
    }
}

private let testVectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "TestVectors")
