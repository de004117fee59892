import ConvertTesting
import Testing

/// The snippets of the article Testing your code.
struct TestingTests {
    let project = TestProject {
        Experience("checkout") {
            Variation("control", weight: 50)
            Variation("green", weight: 50, features: ["express-pay": ["limit": 3]])
        }
        Feature("express-pay", variables: ["limit": .integer])
        Goal("purchase")
    }

    @Test(arguments: ["control", "green"]) func bothButtonsSell(arm: String) {
        let sdk = ConvertSDK(testing: project)
        sdk.force("checkout", arm)
        #expect(Shop(convert: sdk).order(visitorID: "visitor-1", amount: 49.9) == arm)
        #expect(
            sdk.trackedEvents == [
                .exposure("checkout", arm, visitorID: "visitor-1"),
                .conversion("purchase", ["amount": 49.9], visitorID: "visitor-1"),
            ])
    }

    @Test func featuresAreForced() {
        let sdk = ConvertSDK(testing: project)
        sdk.enable("express-pay", variables: ["limit": 50])
        #expect(sdk.createContext(visitorID: "visitor-1").feature("express-pay").integer("limit") == 50)
        sdk.disable("express-pay")
        #expect(!sdk.createContext(visitorID: "visitor-1").isFeatureEnabled("express-pay"))
    }

    @Test(.forced(.force("checkout", "green"), .disable("express-pay")))
    func greenSellsWithoutExpress() {
        let sdk = ConvertSDK(testing: project)
        #expect(Shop(convert: sdk).order(visitorID: "visitor-2", amount: 10) == "green")
        #expect(!sdk.createContext(visitorID: "visitor-2").isFeatureEnabled("express-pay"))
    }

    @Test func aVisitorReturns() {
        let sdk = ConvertSDK(testing: project)
        sdk.force("checkout", "green", visitorID: "returning")
        sdk.createContext(visitorID: "returning").decide("checkout")
        sdk.endForcing()
        sdk.forgetTrackedEvents()
        #expect(sdk.createContext(visitorID: "returning").decide("checkout").variation?.source == .stored)
        #expect(sdk.trackedEvents.isEmpty)
    }

    @Test func rulesDecideWhereNothingIsForced() {
        let project = TestProject {
            Audience("insiders", where: .equals("plan", "insider") && !.exists("banned"))
            Location("shop", where: .startsWith("path", "/shop"))
            Experience("checkout", audiences: ["insiders"], locations: ["shop"]) { Variation("green") }
        }
        let sdk = ConvertSDK(testing: project)
        let visitor = sdk.createContext(
            visitorID: "visitor-1", attributes: ["plan": "free"], locationProperties: ["path": "/shop/1"])
        #expect(visitor.decide("checkout").reason == .audienceNotMatched)
    }
}
