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

        struct CheckoutForm: Decodable {
            var headline: String
            var discount: Double
        }

        let feature = visitor.feature("checkout-form")
        let form = try feature.decode(CheckoutForm.self)  // nil if the visitor does not have the feature
        let discount = feature.number("discount", default: 0)  // 7.5
        #expect(form?.headline == "Almost there" && discount == 7.5)

        let outcome = visitor.trackConversion("order-placed", revenue: 49.9, productsCount: 2, transactionID: "t-1")
        #expect(outcome == .triggered)

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
