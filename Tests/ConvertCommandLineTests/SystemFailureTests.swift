import ConvertTestSupport
import Foundation
import Testing

/// What the system refuses is said in its words.
struct SystemFailureTests {
    private static let visitor = #"{"visitorId": "v"}"# + "\n"

    /// Runs the tool under a shell's limits.
    private func run(_ limit: String, _ arguments: [String], input: String? = nil) throws -> Tool.Run {
        let tool = BuiltProduct.executable("convert-sdk").path
        return try Tool.run(
            ["-c", "\(limit); exec \"$0\" \"$@\"", tool] + arguments, of: URL(fileURLWithPath: "/bin/sh"), input: input)
    }

    @Test(arguments: 4...12) func tooFewFileDescriptorsAreSaid(limit: Int) throws {
        let folder = try TemporaryFolder(["config.json": DecideCommandTests.config])
        let config = folder.file("config.json").path
        for arguments in [["decide", "--config", config, "--visitor", "v"], ["assign", "--config", config]] {
            let run = try run("ulimit -n \(limit)", arguments, input: Self.visitor)
            let isSaid = run.status == 2 && run.errors.contains("has too many files open")
            #expect(isSaid || limit > 4 && run.status == 0, "\(run.status): \(run.errors)")
        }
    }

    @Test func folderLoopAndLongNameAreSaid() throws {
        let folder = try TemporaryFolder(["sub/file": ""])
        let loop = folder.file("loop").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let cases = [
            (folder.file("sub").path, "is a folder; give a file"), (loop, "its links form a circle"),
            (folder.file(String(repeating: "x", count: 300)).path, "the name is too long"),
            (folder.file("sub/file/x").path, "there is no file"), (folder.file("none").path, "there is no file"),
        ]
        for (path, complaint) in cases {
            let run = try Tool.run("lint", path)
            #expect(run.status == 2 && run.complaints.count == 1 && run.errors.contains(complaint), "\(run.errors)")
            let vectors = try Tool.run("vectors", path)
            #expect(vectors.status == 1)
            if complaint != "is a folder; give a file" { #expect(vectors.output.contains(complaint)) }
        }
    }

    @Test(.enabled(if: getuid() != 0, "root reads everything")) func missingRightsAreSaid() throws {
        let folder = try TemporaryFolder(["config.json": "{}"])
        let path = folder.file("config.json").path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(try Tool.run("lint", path).errors.contains("permission denied"))
    }

    @Test func aPageThatCannotBeWrittenSaysWhy() throws {
        let folder = try TemporaryFolder(["config.json": DecideCommandTests.config, "sub/file": ""])
        for (page, complaint) in [
            ("none/page.html", "its folder does not exist"), ("sub", "is a folder"),
            (String(repeating: "x", count: 300), "the name is too long"),
        ] {
            let run = try Tool.run("lint", folder.file("config.json").path, "--html", folder.file(page).path)
            #expect(run.status == 2 && run.errors.contains(complaint), "\(run.errors)")
        }
    }

    /// A page for a device would otherwise take the device's place.
    @Test func aLinkOrPipeIsWrittenThrough() throws {
        let folder = try TemporaryFolder(["config.json": DecideCommandTests.config, "page.html": "old"])
        let (link, pipe) = (folder.file("link"), folder.file("pipe"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("page.html"))
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let config = folder.file("config.json").path
        #expect(try Tool.run("lint", config, "--html", link.path).status == 0)
        #expect(try String(contentsOf: folder.file("page.html"), encoding: .utf8).hasPrefix("<!doctype html>"))
        let script = #"cat "$2" & "$0" lint "$1" --html "$2" >&2; wait"#
        let tool = BuiltProduct.executable("convert-sdk").path
        let run = try Tool.run(["-c", script, tool, config, pipe.path], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(run.status == 0 && run.output.hasPrefix("<!doctype html>"), "\(run.errors)")
        let types = try [link, pipe].map { url in
            try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        }
        #expect(types == [.typeSymbolicLink, .typeUnknown])
    }

    private static let canFill =
        (try? FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType)
        == .typeCharacterSpecial

    @Test(.enabled(if: canFill)) func aFullDiskIsSaid() throws {
        for arguments in [["help"], ["assign", "--config", "FILE"]] {
            try Tool.withFile(DecideCommandTests.config) { config in
                let run = try run(
                    "exec > /dev/full", arguments.map { $0 == "FILE" ? config : $0 }, input: Self.visitor)
                #expect(run.status == 2 && run.errors.contains("no space is left"), "\(run.errors)")
            }
        }
    }
}
