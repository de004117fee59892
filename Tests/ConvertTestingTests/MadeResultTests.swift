import ConvertTesting
import Testing

/// Results that an app's tests make without an SDK.
struct MadeResultTests {
    @Test func aVariationSaysWhatItWasMadeOf() {
        let variation = BucketedVariation(experienceKey: "checkout", variationKey: "green", variationID: "7")
        #expect(variation.experienceKey == "checkout" && variation.experienceID == "checkout")
        #expect(variation.variationKey == "green" && variation.variationID == "7" && variation.source == .bucketed)
        #expect(Decision(variation).variation?.variationKey == "green")
        let bucketed = BucketedVariation(experienceKey: "checkout", variationKey: "green", bucketingAllocation: -7)
        #expect(variation.bucketingAllocation == nil && bucketed.bucketingAllocation == -7)
        #expect(Decision(reason: .archived).reason == .archived && Decision(reason: .archived).variation == nil)
    }

    @Test func aFeatureSaysWhatItWasMadeOf() {
        let feature = BucketedFeature(key: "flag", variables: ["limit": 3, "copy": "go"], experienceKey: "checkout")
        #expect(feature.status == .enabled && feature.key == "flag" && feature.id == "flag")
        #expect(
            feature.integer("limit") == 3 && feature.string("copy") == "go"
                && feature.variables == ["limit": 3, "copy": "go"])
        #expect(feature.experienceKey == "checkout")
        let free = BucketedFeature(key: "flag", id: "9", name: "Flag")
        #expect(free.experienceKey == nil && free.id == "9" && free.name == "Flag" && free.status == .enabled)
        let off = BucketedFeature(key: "flag", status: .disabled, variables: ["limit": 3])
        #expect(off.status == .disabled && off.variables == nil && off["limit"] == nil)
        #expect(FeatureDecision(features: [off]).features == [off])
        #expect(FeatureDecision(reason: .sdkNotReady).reason == .sdkNotReady)
    }
}
