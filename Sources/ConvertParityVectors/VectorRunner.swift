internal import ConvertECMAScript
internal import ConvertSwiftSDKCore
internal import ConvertTransport
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Replays recorded answers of the reference engines against this package.
package struct VectorRunner {
    /// The numbers of cases that agreed and that differed.
    package struct Tally: Sendable, Equatable {
        package var passed = 0
        package var failed = 0
        /// The number of JSON files in folders that were skipped because they have no `kind`.
        package var skippedFiles = 0
    }

    /// The progress of a run.
    package struct Progress: Sendable {
        /// The number of files that were replayed or skipped.
        package let fileCount: Int
        /// The total number of files of the run.
        package let knownFileCount: Int
        package let tally: Tally
    }

    /// Called with one line per mismatch or unreadable file.
    private let report: (String) -> Void
    /// Called after each file.
    private let progress: (Progress) -> Void

    package init(report: @escaping (String) -> Void, progress: @escaping (Progress) -> Void = { _ in }) {
        self.report = report
        self.progress = progress
    }

    /// Replays the files at `paths`, and all `.json` files in folders and their subfolders. A path without vectors
    /// counts as a failure.
    package func run(paths: [String]) async -> Tally {
        var tally = Tally()
        let lists = paths.map { (path: $0, files: jsonFiles(at: $0)) }
        let count = lists.map(\.files.count).reduce(0, +)
        var done = 0
        for (path, files) in lists {
            let before = tally
            for file in files {
                // A file that was named explicitly must have vectors; a folder may also contain other files.
                await run(file: file, mayBeSkipped: file != path, &tally)
                done += 1
                progress(Progress(fileCount: done, knownFileCount: count, tally: tally))
            }
            if tally.passed == before.passed, tally.failed == before.failed {
                let failure = openingFailure(of: path)?.description
                fail(path, failure ?? "no vector file found; give a .json file or a folder of them", &tally)
            }
        }
        return tally
    }

    private func jsonFiles(at path: String) -> [String] {
        var isDirectory: ObjCBool = false
        // Safe: Foundation and the system use the pointers in this file only during the calls.
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return [] }
        guard isDirectory.boolValue else { return [path] }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }

    /// Why the file or folder at `path` cannot be opened; `nil` if it can be opened.
    private func openingFailure(of path: String) -> FileFailure? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return FileFailure(errno, at: path, .read) }
        close(descriptor)
        return nil
    }

    private func run(file: String, mayBeSkipped: Bool, _ tally: inout Tally) async {
        guard let data = FileManager.default.contents(atPath: file) else {
            return fail(file, openingFailure(of: file)?.description ?? "it cannot be read", &tally)
        }
        let vectors: VectorFile
        do {
            guard let read = try VectorFile(data) else {
                if mayBeSkipped { return tally.skippedFiles += 1 }
                return fail(file, "not a vector file (it has no 'kind')", &tally)
            }
            vectors = read
        } catch {
            return fail(file, "not a vector file (\(error.message))", &tally)
        }
        switch (vectors.kind, vectors.semantics) {
        case ("comparisons", nil): await replay(ComparisonsReplay(), file, vectors, &tally)
        case ("comparisons", "mobile"): await replay(MobileComparisonsReplay(), file, vectors, &tally)
        case ("numbers", nil): await replay(NumbersReplay(), file, vectors, &tally)
        case ("json", nil): await replay(JSONReplay(), file, vectors, &tally)
        case ("lowercase", nil): await replay(LowercaseReplay(), file, vectors, &tally)
        case ("hash", nil): await replay(HashReplay(), file, vectors, &tally)
        case ("bucketValue", nil): await replay(BucketValueReplay(), file, vectors, &tally)
        case ("bucket", nil): await replay(BucketReplay(), file, vectors, &tally)
        case ("mobileRules", nil): await replay(MobileRulesReplay(), file, vectors, &tally)
        case ("regex", nil): await replay(RegexReplay(), file, vectors, &tally)
        case ("rules", nil): await replay(RulesReplay(semantics: .javaScript), file, vectors, &tally)
        case ("rules", "flat"): await replay(RulesReplay(semantics: .flat), file, vectors, &tally)
        case ("decisions", nil):
            await replay(
                DecisionsReplay(folder: URL(fileURLWithPath: file).deletingLastPathComponent()), file, vectors, &tally)
        default:
            fail(file, "vectors of kind '\(vectors.kind)' are not supported", &tally)
        }
    }

    private func replay<Replay: VectorReplay>(
        _ replay: Replay, _ file: String, _ vectors: VectorFile, _ tally: inout Tally
    ) async {
        let cases = vectors.cases(of: Replay.Case.self)
        if cases.isEmpty { fail(file, "holds no cases", &tally) }
        for (index, element) in cases.enumerated() {
            let name = element.name.map { " \"\($0)\"" } ?? ""
            switch element.content {
            case .failure(let error):
                fail("\(file)[\(index)]\(name)", error.message, &tally)
            case .success(let testCase):
                if let mismatch = await replay.mismatch(in: testCase) {
                    let place = mismatch.place.map { ", \($0)" } ?? ""
                    fail(
                        "\(file)[\(index)]\(name)\(place)",
                        "expected \(mismatch.expected), got \(mismatch.actual)", &tally)
                } else {
                    tally.passed += 1
                }
            }
        }
    }

    private func fail(_ place: String, _ message: String, _ tally: inout Tally) {
        tally.failed += 1
        report("\(place): \(message)".onOneLine)
    }
}
