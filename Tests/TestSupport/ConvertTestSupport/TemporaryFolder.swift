package import Foundation

/// A folder of its own for a test, gone with this object.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// A folder with files of these contents, by path.
    package init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("convert-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, content) in files {
            let file = file(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The place of a file within.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Names of the files within, in order.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Calls `body` with the path of a folder of files that is there meanwhile.
package func withTemporaryFolder<Result>(
    _ files: [String: String], _ body: (String) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder(files)
    let result = try await body(folder.url.path)
    withExtendedLifetime(folder) {}
    return result
}
