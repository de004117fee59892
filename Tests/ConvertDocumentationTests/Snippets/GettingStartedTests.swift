import ConvertMonitoring
import ConvertSwiftSDK
import Foundation
import Testing

/// The snippets of the articles Getting started and ConvertSwiftSDK.
struct GettingStartedTests {
    @Test func theDemoShopIsDecidedAsTheArticleSays() async throws {
        let config = URL(fileURLWithPath: "TestVectors/configs/demo-shop.json")
        let convert = ConvertSDK(configFile: config, environment: "production", mode: .offline)
        try await convert.ready()

        let visitor = convert.createContext(
            visitorID: "visitor-4", attributes: ["orders": 2, "customer_id": "c-1"],
            locationProperties: ["path": "/checkout"])
        let page = visitor.variationKey("one-page-checkout", default: "three-steps")  // "one-page"
        #expect(page == "one-page")

        let decision = visitor.decide("one-page-checkout")
        if let variation = decision.variation {
            print("shows \(variation.variationKey ?? variation.variationID)")
        } else if let reason = decision.reason {
            print("shows no variation: \(reason)")
        }
        #expect(decision.reason == nil)

        let hasForm = visitor.bool("checkout-form", default: false)
        let headline = visitor.string("checkout-form", "headline", default: "Your order")
        enum Flag: String, ConvertKey { case checkoutForm = "checkout-form" }

        let maximum = visitor.int(Flag.checkoutForm, "max_items", default: 10)
        #expect(hasForm && headline == "Almost there" && maximum == 12)

        struct CheckoutForm: Decodable {
            struct Layout: Decodable { var columns = 1 }

            var headline = "Your order"
            var discount = 0.0
            var layout = Layout()
        }

        let form = visitor.decode("checkout-form", default: CheckoutForm())

        let feature = visitor.feature("checkout-form")
        let discount = feature.number("discount") ?? 0  // 7.5
        let layout = try feature.decode("layout", as: CheckoutForm.Layout.self)  // nil without such a variable
        let same = try feature.decode(CheckoutForm.self)  // nil if the visitor does not have the feature
        #expect(form.headline == "Almost there" && form.layout.columns == 2 && discount == 7.5)
        #expect(layout?.columns == 2 && same?.discount == 7.5)
        #expect(feature.boolean("enabled") == true && feature.integer("max_items") == 12)
        #expect(feature.string("headline") == "Almost there" && feature.object("layout")?["columns"] == 2)

        let outcome = visitor.trackConversion("order-placed", revenue: 49.9, productsCount: 2, transactionID: "t-1")
        #expect(outcome == .triggered)
        #expect(visitor.trackConversion("order-placed", revenue: 20, transactionID: "t-2") == .alreadyTriggered)
        visitor.trackConversion("order-placed", revenue: 20, transactionID: "t-2", forcesMultipleTransactions: true)

        let total = 20.0
        let asked = ConversionOptions(ruleData: ["order_value": total])
        #expect(visitor.explainGoal("large-order", options: asked)?.outcome == .rulesNotMatched)
        visitor.trackConversion("large-order", revenue: total, ruleData: ["order_value": total])  // if its rules match
        visitor.trackConversion("large-order", revenue: total)  // in any case
        #expect(visitor.visitorData.goals == ["order-placed": true, "large-order": true])

        let explanation = visitor.explain("one-page-checkout")
        print(explanation?.description ?? "no config yet, or no such experience")
        #expect(explanation?.variation == "one-page")

        let report = await convert.shutdown(deadline: .seconds(5))
        #expect(report.isComplete)
    }

    /// Compiled, and not run: it would ask Convert's CDN.
    func online() async throws {
        let convert = ConvertSDK(sdkKey: "1001/2002", environment: "production")
        try await convert.ready(timeout: .seconds(5))
    }

    /// Compiled, and not run.
    func overview() async throws {
        let convert = ConvertSDK(sdkKey: "1001/2002", environment: "production")
        try await convert.ready()

        let visitor = convert.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
        let page = visitor.variationKey("checkout", default: "control")
        print(page)
    }
}
