import Foundation

#if canImport(Testing)
import Testing
#endif

/// Where a test's source says something.
struct SourcePlace {
    let fileID: String
    let filePath: String
    let line: Int
    let column: Int
}

/// Makes the test that runs fail because of something that it got wrong: a name that nothing has can only be a typo, and the
/// test would be about something else than it says.
func recordMistake(_ text: String, at place: SourcePlace? = nil) {
    #if canImport(Testing)
    if let place {
        Issue.record(
            "\(text).",
            sourceLocation: SourceLocation(
                fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column))
    } else {
        Issue.record("\(text).")
    }
    #else
    let line = place.map { "\($0.filePath):\($0.line): " } ?? ""
    FileHandle.standardError.write(Data("\(line)\(text).\n".utf8))
    #endif
}
