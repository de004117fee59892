import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct DecisionOptionsTests {
    private struct Data: RuleData {
        func answer(for condition: RuleCondition) -> RuleDataAnswer { .unsupported }
    }

    @Test func theDefaultsTrackAndStore() {
        let options = DecisionOptions()
        #expect(options.isTrackingEnabled && options.isStorageEnabled)
        #expect(!options.ignoresLocationProperties && !options.updatesVisitorProperties && !options.suppressesEvents)
        #expect(options.environment == nil && options.forcedVariationID == nil && options.visitorProperties == nil)
        #expect(options.locationProperties == nil && options.visitorData == nil && options.locationData == nil)
    }

    @Test func optionsAreReadAsTheyAreSet() {
        var options = DecisionOptions()
        options.environment = "live"
        options.visitorProperties = ["a": 1]
        options.locationProperties = ["b": 2]
        options.forcedVariationID = "7"
        options.visitorData = Data()
        options.locationData = Data()
        options.isTrackingEnabled = false
        options.isStorageEnabled = false
        options.ignoresLocationProperties = true
        options.updatesVisitorProperties = true
        options.suppressesEvents = true
        #expect(options.environment == "live" && options.forcedVariationID == "7")
        #expect(options.visitorProperties == ["a": 1] && options.locationProperties == ["b": 2])
        #expect(options.visitorData != nil && options.locationData != nil)
        #expect(!options.isTrackingEnabled && !options.isStorageEnabled)
        #expect(options.ignoresLocationProperties && options.updatesVisitorProperties && options.suppressesEvents)
        options.isTrackingEnabled = true
        options.visitorData = nil
        #expect(options.isTrackingEnabled && !options.isStorageEnabled && options.visitorData == nil)
        #expect(options.environment == "live")
    }

    @Test func anEmptySetOfLocationPropertiesIsNotNone() {
        var options = DecisionOptions()
        options.locationProperties = [:]
        #expect(options.locationProperties == [:])
        options.locationProperties = ["a": 1]
        options.locationProperties = [:]
        #expect(options.locationProperties == [:])
        options.locationProperties = nil
        #expect(options.locationProperties == nil)
    }

    @Test func aCopyIsChangedForItself() {
        var options = DecisionOptions()
        options.environment = "live"
        var copy = options
        copy.environment = "staging"
        copy.forcedVariationID = "7"
        #expect(options.environment == "live" && options.forcedVariationID == nil)
        #expect(copy.environment == "staging" && copy.forcedVariationID == "7")
    }
}
