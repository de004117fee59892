import ConvertTesting
import XCTest

/// What fails a test of Swift Testing fails one of XCTest. The failures are caught where XCTest would record them.
final class XCTestMistakeTests: XCTestCase {
    private struct Failure: Equatable {
        let file: String
        let line: Int
        let text: String
    }

    private var failures: [Failure] = []

    #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
        let place = issue.sourceCodeContext.location
        note(issue.compactDescription, in: place?.fileURL.path ?? "", at: place?.lineNumber ?? 0)
    }
    #else
    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        note(description, in: filePath, at: lineNumber)
    }
    #endif

    private func note(_ text: String, in file: String, at line: Int) {
        failures.append(Failure(file: file, line: line, text: text.replacing("failed - ", with: "")))
    }

    /// The failures so far, which are not to fail this test.
    private func takeFailures() -> [Failure] {
        defer { failures = [] }
        return failures
    }

    func testForcingWhatDoesNotExistFailsAtItsLine() {
        let sdk = ConvertSDK(testing: Shop.project)
        sdk.force("chekout", "v1")
        let line = #line - 1
        let found = takeFailures()
        XCTAssertEqual(found.map(\.line), [line])
        XCTAssertEqual(found.map(\.file), ["\(#filePath)"])
        XCTAssert(found.first?.text.contains("'chekout'") == true, "\(found)")
    }

    func testAFeatureThatNothingHasFailsATest() {
        let sdk = ConvertSDK(testing: Shop.project)
        sdk.enable("express")
        sdk.disable("expres-pay")
        XCTAssertEqual(takeFailures().count, 2)
    }

    func testAProjectThatNamesWhatItLacksFailsATest() {
        _ = TestProject { Experience("e", audiences: ["absent"]) { Variation("v", weight: 100) } }
        XCTAssertEqual(takeFailures().count, 1)
    }

    func testAVariationThatTurnsOutNotToExistFailsATest() {
        let sdk = ConvertSDK(testing: Shop.project)
        withForced(.force("checkout", "v17")) { _ = sdk.createContext(visitorID: "v1").decide("checkout") }
        XCTAssertEqual(takeFailures().count, 1)
    }

    func testForcingWhatExistsFailsNothing() {
        let sdk = ConvertSDK(testing: Shop.project)
        sdk.force("checkout", "v1")
        XCTAssertEqual(takeFailures(), [])
    }
}
