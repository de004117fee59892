import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// The config that the README decides on.
struct DemoShopTests {
    private func project() throws -> Project {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "TestVectors/configs/demo-shop.json")
        return Project(try ProjectConfig(json: Data(contentsOf: file)))
    }

    /// The variation keys by experience that each of 200 visitors with `attributes` sees at `path`.
    private func seen(_ attributes: JSObject, at path: String) throws -> [[String: String]] {
        let manager = ExperienceManager(project: try project(), environment: "production")
        return (0..<200).map { index in
            var visitor = manager.visitor(id: "visitor-\(index)", attributes: attributes)
            let options = DecisionOptions.located { $0.locationProperties = ["path": .string(path)] }
            var keys: [String: String] = [:]
            for decision in manager.selectVariations(for: &visitor, options: options).value {
                if let variation = decision.variation { keys[variation.experienceKey] = variation.variationKey }
            }
            return keys
        }
    }

    private static let customer: JSObject = [
        "orders": 3, "customer_id": "c-1", "shipping_country": "de", "email": "ada@example.com",
        "customSegments": ["200299601"],
    ]

    @Test func thereIsNothingToReport() throws {
        #expect(try project().diagnostics == [])
    }

    @Test func everyVariationThatRunsIsSeenBySomebody() throws {
        let visitors = try seen(Self.customer, at: "/checkout") + seen(Self.customer, at: "/products/7")
        let keys = Set(visitors.flatMap(\.values))
        #expect(
            keys == [
                "classic", "mega-menu", "three-steps", "one-page", "no-banner", "banner-49", "banner-79", "stars",
                "quotes",
            ])
    }

    @Test func noVisitorIsInBothExperiencesThatExcludeEachOther() throws {
        let visitors = try seen(Self.customer, at: "/checkout")
        #expect(visitors.contains { $0["one-page-checkout"] != nil })
        #expect(visitors.contains { $0["free-shipping-banner"] != nil })
        #expect(!visitors.contains { $0["one-page-checkout"] != nil && $0["free-shipping-banner"] != nil })
    }

    @Test func strangersSeeTheExperienceForEverybodyOnly() throws {
        #expect(try seen([:], at: "/").allSatisfy { Array($0.keys) == ["new-navigation"] })
    }
}
