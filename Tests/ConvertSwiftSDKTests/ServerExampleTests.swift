import ConvertSwiftSDK
import Foundation
import Testing

/// What the README shows, on a config of the package.
struct ServerExampleTests {
    @Test func theExampleOfTheREADMEAnswers() async throws {
        let config = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "TestVectors/configs/demo-shop.json")
        let convert = try ConvertSDK(configData: Data(contentsOf: config))
        convert.setTrackingEnabled(false)
        try await convert.ready()

        func checkout(userID: String, plan: String) -> String {
            let context = convert.createContext(visitorID: userID, attributes: ["plan": plan])
            if context.isFeatureEnabled("express-pay") { return "express" }
            return context.selectVariation("one-page-checkout")?.variationKey ?? "three-steps"
        }

        #expect(checkout(userID: "visitor-1", plan: "pro") == "three-steps")
        let report = await convert.shutdown(deadline: .seconds(5))
        #expect(report.isComplete)
    }
}
