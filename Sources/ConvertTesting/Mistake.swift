import Foundation

#if canImport(Testing)
import Testing
#endif

/// Where a test's source says something.
struct SourcePlace {
    let fileID: String
    let filePath: StaticString
    let line: Int
    let column: Int
}

/// Makes the test that runs fail because of something that it got wrong: a name that nothing has can only be a typo, and the
/// test would be about something else than it says.
///
/// The test is Swift Testing's or XCTest's. Without either, standard error has the text.
func recordMistake(_ text: String, at place: SourcePlace? = nil) {
    #if canImport(Testing)
    // Outside Swift Testing's tasks an XCTest may run. The issue is recorded all the same: the call may come from a thread that
    // knows nothing of its test.
    if Test.current == nil { XCTestFailure.record("\(text).", at: place) }
    if let place {
        Issue.record(
            "\(text).",
            sourceLocation: SourceLocation(
                fileID: place.fileID, filePath: "\(place.filePath)", line: place.line, column: place.column))
    } else {
        Issue.record("\(text).")
    }
    #else
    if XCTestFailure.record("\(text).", at: place) { return }
    let line = place.map { "\($0.filePath):\($0.line): " } ?? ""
    FileHandle.standardError.write(Data("\(line)\(text).\n".utf8))
    #endif
}
