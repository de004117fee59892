import ConvertSwiftSDKCore
import ConvertTesting
import Foundation
import Testing

/// Results that an app's tests make without an SDK, and that an app keeps, compares and stores.
struct MadeResultTests {
    private static let variation = BucketedVariation(
        experienceKey: "checkout", variationKey: "green", variationID: "7", bucketingAllocation: 3,
        experienceName: "Checkout")
    private static let feature = BucketedFeature(
        key: "flag", variables: ["limit": 3, "copy": "go"], experienceKey: "checkout")

    @Test func aVariationSaysWhatItWasMadeOf() {
        let variation = Self.variation
        #expect(variation.experienceKey == "checkout" && variation.experienceID == "checkout")
        #expect(variation.variationKey == "green" && variation.variationID == "7" && variation.source == .bucketed)
        #expect(variation.bucketingAllocation == 3 && variation.experienceName == "Checkout")
        #expect(BucketedVariation(experienceKey: "a", variationKey: "b").bucketingAllocation == nil)
        #expect(Decision(variation).variation == variation && Decision(variation).reason == nil)
        #expect(Decision(reason: .archived).reason == .archived && Decision(reason: .archived).variation == nil)
    }

    @Test func aFeatureSaysWhatItWasMadeOf() {
        let feature = Self.feature
        #expect(feature.status == .enabled && feature.key == "flag" && feature.id == "flag")
        #expect(
            feature.integer("limit") == 3 && feature.string("copy") == "go"
                && feature.variables == ["limit": 3, "copy": "go"])
        #expect(feature.experienceKey == "checkout")
        let free = BucketedFeature(key: "flag", id: "9", name: "Flag")
        #expect(free.experienceKey == nil && free.id == "9" && free.name == "Flag" && free.status == .enabled)
        let off = BucketedFeature(key: "flag", status: .disabled, variables: ["limit": 3])
        #expect(off.status == .disabled && off.variables == nil && off["limit"] == nil)
        #expect(off.disabledReason == .notGiven)
        #expect(FeatureDecision(features: [off]).features == [off])
        #expect(FeatureDecision(reason: .sdkNotReady).reason == .sdkNotReady)
    }

    @Test func equalAnswersAreOneElementOfASet() {
        let decisions = [Decision(Self.variation), Decision(reason: .archived)]
        #expect(Set(decisions + decisions).count == 2)
        let reordered = BucketedFeature(
            key: "flag", variables: ["copy": "go", "limit": 3.0], experienceKey: "checkout")
        #expect(Set([Self.feature, reordered, BucketedFeature(key: "flag")]).count == 2)
    }

    @Test func jsonHasStableNames() throws {
        let variation =
            #"{"bucketingAllocation":3,"experienceId":"checkout","experienceKey":"checkout","experienceName":"Checkout","#
            + #""source":"bucketed","variationId":"7","variationKey":"green"}"#
        let feature =
            #"{"experienceId":"checkout","experienceKey":"checkout","id":"flag","key":"flag","status":"enabled","#
            + #""variables":{"copy":"go","limit":3}}"#
        try expect(Decision(Self.variation), isWritten: #"{"variation":\#(variation)}"#)
        try expect(Decision(reason: .audienceNotMatched), isWritten: #"{"reason":"audienceNotMatched"}"#)
        try expect(FeatureDecision(features: [Self.feature]), isWritten: #"{"features":[\#(feature)]}"#)
        try expect(FeatureDecision(reason: .sdkNotReady), isWritten: #"{"features":[],"reason":"sdkNotReady"}"#)
    }

    private func expect<Value: Codable & Equatable>(_ value: Value, isWritten json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        #expect(String(decoding: data, as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Value.self, from: data) == value)
    }
}
