import ConvertTesting
import Shop
import XCTest

final class ShopTests: XCTestCase {
    private let sdk = ConvertSDK(
        testing: TestProject {
            Experience("checkout") {
                Variation("control", weight: 50)
                Variation("green", weight: 50)
            }
            Goal("purchase")
        })

    func testBothButtonsSell() {
        for arm in ["control", "green"] {
            sdk.force("checkout", arm)
            sdk.forgetTrackedEvents()
            XCTAssertEqual(Shop(convert: sdk).order(visitorID: "visitor-\(arm)", amount: 49.9), arm)
            XCTAssertEqual(
                sdk.trackedEvents,
                [
                    .exposure("checkout", arm, visitorID: "visitor-\(arm)"),
                    .conversion("purchase", ["amount": 49.9], visitorID: "visitor-\(arm)"),
                ])
        }
    }

    func testATaskHasAnAnswerOfItsOwn() async {
        await withForced(.force("checkout", "green")) {
            await Task.yield()
            XCTAssertEqual(Shop(convert: sdk).order(visitorID: "visitor-1", amount: 10), "green")
        }
    }
}
