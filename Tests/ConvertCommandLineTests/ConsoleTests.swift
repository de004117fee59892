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
}
