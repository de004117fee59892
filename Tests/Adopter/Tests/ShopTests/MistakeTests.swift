import ConvertTesting
import XCTest

/// Tests that are meant to fail. `run` checks that they do, and at which line.
final class MistakeTests: XCTestCase {
    private let project = TestProject { Experience("checkout") { Variation("green") } }

    override func setUpWithError() throws {
        let isAsked = ProcessInfo.processInfo.environment["MISTAKES"] != nil
        try XCTSkipUnless(isAsked, "run with MISTAKES=1")
    }

    func testAnUnknownExperienceFails() {
        ConvertSDK(testing: project).force("chekout", "green")
    }

    func testAnUnknownVariationFailsOnAnotherThread() async {
        let sdk = ConvertSDK(testing: project)
        await Task.detached {
            withForced(.force("checkout", "gren")) { _ = sdk.createContext(visitorID: "v").decide("checkout") }
        }.value
    }

    func testAProjectThatLacksAnAudienceFails() {
        _ = TestProject { Experience("checkout", audiences: ["absent"]) { Variation("green") } }
    }
}
