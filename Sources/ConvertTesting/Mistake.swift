import Foundation

#if canImport(Testing)
import Testing
#endif

/// A place in the source of a test.
struct SourcePlace {
    let fileID: String
    let filePath: StaticString
    let line: Int
    let column: Int
}

/// Makes the running test fail because of a mistake in it, such as a misspelt name.
///
/// The test may be a test of Swift Testing or of XCTest. Without either, the text is written to standard error.
func recordMistake(_ text: String, at place: SourcePlace? = nil) {
    #if canImport(Testing)
    // Outside of Swift Testing's tasks, an XCTest may be running. Swift Testing's issue is recorded in any case,
    // because the call may come from a thread that does not know its test.
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
