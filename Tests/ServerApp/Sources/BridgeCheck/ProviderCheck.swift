import Bridges
import ConvertSwiftSDK
import ConvertTesting
import Foundation
import OpenFeature

/// Asks the provider for OpenFeature what a client would ask.
struct ProviderCheck {
    let provider: ConvertProvider

    private let shopper = OpenFeatureEvaluationContext(
        targetingKey: "visitor-4",
        fields: [
            "orders": .int(2), "customer_id": .string("c-1"), "location": .object(["path": "/checkout"]),
        ])

    /// One experience for all visitors, with a feature that has an integral float.
    private static let rollout = """
        {"account_id": "1", "project": {"id": "2"},
        "features": [{"id": "f1", "key": "form", "variables": [{"key": "ratio", "type": "float"}]}],
        "experiences": [{"id": "e1", "key": "rollout", "version": 8, "variations": [{"id": "v1", "key": "on",
        "traffic_allocation": 100, "changes": [{"type": "fullStackFeature", "data": {"feature_id": "f1",
        "variables_data": {"ratio": "10"}}}]}, {"id": "v2", "key": "off", "traffic_allocation": 0}]}]}
        """

    func run() async throws {
        let enabled = await provider.resolution(of: "checkout-form", defaultValue: false, context: shopper)
        Main.check(enabled.value && enabled.error == nil && enabled.variant == "one-page", "a Boolean")
        Main.check(enabled.flagMetadata["experienceKey"] == .string("one-page-checkout"), "metadata")
        let variation = await provider.resolution(of: "one-page-checkout", defaultValue: "", context: shopper)
        Main.check(variation.value == "one-page" && variation.reason?.rawValue == "SPLIT", "a string")
        let items = await provider.resolution(of: "checkout-form.max_items", defaultValue: 0, context: shopper)
        Main.check(items.value == 12, "an integer")
        let asDouble = await provider.resolution(of: "checkout-form.max_items", defaultValue: 0.5, context: shopper)
        Main.check(asDouble.value == 12, "an integer as a float")
        let discount = await provider.resolution(of: "checkout-form.discount", defaultValue: 0.5, context: shopper)
        Main.check(discount.value == 7.5, "a float")
        let cut = await provider.resolution(of: "checkout-form.discount", defaultValue: 3, context: shopper)
        Main.check(cut.value == 3 && cut.error?.code == .typeMismatch && cut.reason == .error, "a lossy integer")
        let unknown = await provider.resolution(of: "no-such-flag", defaultValue: true, context: shopper)
        Main.check(unknown.value && unknown.error?.code == .flagNotFound, "an unknown flag")
        let anonymous = await provider.resolution(of: "checkout-form", defaultValue: true, context: nil)
        Main.check(anonymous.value && anonymous.error?.code == .targetingKeyMissing, "no targeting key")
        let banner = await provider.resolution(
            of: "free-shipping-banner", defaultValue: "none", context: shopper)
        Main.check(banner.value == "none" && banner.error == nil && banner.reason == .default, "not eligible")
        let archived = await provider.resolution(of: "christmas-2023", defaultValue: "none", context: shopper)
        Main.check(archived.value == "none" && archived.reason?.rawValue == "DISABLED", "archived")
        for (name, value) in [("location", OpenFeatureFieldValue.string("/checkout")), ("convertExposure", .int(0))] {
            var context = shopper
            context.fields[name] = value
            let invalid = await provider.resolution(of: "checkout-form", defaultValue: true, context: context)
            Main.check(invalid.value && invalid.error?.code.rawValue == "INVALID_CONTEXT", "an invalid \(name)")
        }
        try await checkRollout()
        let empty = ConvertProvider(
            sdk: ConvertSDK(configFile: URL(fileURLWithPath: "/nowhere/config.json"), mode: .offline))
        let early = await empty.resolution(of: "checkout-form", defaultValue: true, context: shopper)
        Main.check(early.value && early.error?.code.rawValue == "PROVIDER_NOT_READY", "no config")
    }

    private func checkRollout() async throws {
        let sdk = ConvertSDK(testing: try TestProject(json: Self.rollout))
        let provider = ConvertProvider(sdk: sdk)
        var context = OpenFeatureEvaluationContext(targetingKey: "visitor-1", fields: ["convertExposure": .bool(false)])
        let silent = await provider.resolution(of: "rollout", defaultValue: "", context: context)
        Main.check(silent.value == "on" && silent.reason?.rawValue == "TARGETING_MATCH", "one variation for all")
        context.fields = [:]
        _ = await ConvertProvider(sdk: sdk, reportsExposures: false)
            .resolution(of: "rollout", defaultValue: "", context: context)
        Main.check(sdk.trackedEvents.isEmpty, "an exposure that was switched off")
        let integer = await provider.resolution(of: "form.ratio", defaultValue: 3, context: context)
        Main.check(integer.value == 10 && integer.error == nil, "an integral float as an integer")
        Main.check(sdk.trackedEvents == [.exposure("rollout", "on", visitorID: "visitor-1")], "an exposure")
        sdk.force("rollout", "off", visitorID: "visitor-2")
        context.targetingKey = "visitor-2"
        let forced = await provider.resolution(of: "rollout", defaultValue: "", context: context)
        Main.check(forced.value == "off" && forced.reason?.rawValue == "STATIC", "a forced variation")
    }
}
