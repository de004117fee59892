import Bridges
import OpenFeature

/// Asks the provider for OpenFeature what a client would ask.
struct ProviderCheck {
    let provider: ConvertProvider

    private let shopper = OpenFeatureEvaluationContext(
        targetingKey: "visitor-4",
        fields: [
            "orders": .int(2), "customer_id": .string("c-1"), "location": .object(["path": "/checkout"]),
        ])

    func run() async {
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
    }
}
