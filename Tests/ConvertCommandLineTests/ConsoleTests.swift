import Foundation
import Testing

@testable import convert_sdk

struct ConsoleTests {
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aComplaintThatCannotBePrintedKeepsTheExitStatus() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let status = try Tool.status("decide", "--jason", standardError: full)
        #expect(status == ExitCode.badUsage.rawValue)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: ["help", "--version"])
    func outputThatCannotBeWrittenIsAFailure(command: String) throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(try Tool.status(command, standardOutput: full) == ExitCode.badUsage.rawValue)
        #expect(try Tool.status(command) == ExitCode.done.rawValue)
    }

    @Test func outputIntoAPipeHasNoColours() throws {
        try Tool.withFile(DecideCommandTests.config) { file in
            let run = try Tool.run("decide", "--config", file, "--visitor", "v", "--explain")
            #expect(!run.output.contains("\u{1b}"))
        }
    }
}
