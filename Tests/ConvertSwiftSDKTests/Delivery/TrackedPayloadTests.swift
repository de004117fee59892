import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertSwiftSDK

struct TrackedPayloadTests {
    @Test func aReportedGoalKeepsItsNumberAndLeavesOutWhatIsUnset() throws {
        let id = try #require(EntityID(8 as JSValue))
        let event = TrackingEvent.conversion(goalID: id, goalData: nil, bucketing: nil)
        #expect(event.payload == ["eventType": "conversion", "data": ["goalId": 8]])
    }
}
