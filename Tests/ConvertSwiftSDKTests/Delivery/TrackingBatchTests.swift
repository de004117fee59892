import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertSwiftSDK

struct TrackingBatchTests {
    private static let event = TrackingEvent.bucketing(experienceID: "e", variationID: "v").payload
    private static let payload: JSValue = [
        "eventType": "bucketing", "data": ["experienceId": "e", "variationId": "v"],
    ]

    @Test func visitorsComeInOrderOfFirstAppearance() {
        var batch = TrackingBatch()
        for id in ["b", "a", "b"] { batch.append(Self.event, visitorID: id, segments: nil) }
        #expect(
            batch.visitors == [
                ["visitorId": "b", "events": [Self.payload, Self.payload]],
                ["visitorId": "a", "events": [Self.payload]],
            ])
    }

    @Test func aVisitorsFirstEventFixesTheSegments() {
        var batch = TrackingBatch()
        batch.append(Self.event, visitorID: "a", segments: ["country": "de"])
        batch.append(Self.event, visitorID: "a", segments: ["country": "fr"])
        batch.append(Self.event, visitorID: "b", segments: nil)
        batch.append(Self.event, visitorID: "b", segments: ["country": "fr"])
        #expect(batch.visitors.arrayValue?.map { $0.objectValue?["segments"] } == [["country": "de"], nil])
    }

    @Test func visitorsAreComparedByCodeUnits() {
        var batch = TrackingBatch()
        for id in ["caf\u{e9}", "cafe\u{301}"] { batch.append(Self.event, visitorID: id, segments: nil) }
        #expect(batch.visitors.arrayValue?.count == 2)
    }

    @Test func aConversionCarriesWhatItHas() {
        var batch = TrackingBatch()
        batch.append(
            TrackingEvent.conversion(goalID: "g", goalData: nil, bucketing: nil).payload, visitorID: "a", segments: nil)
        batch.append(
            TrackingEvent.conversion(goalID: "g", goalData: [["key": "amount", "value": 5]], bucketing: ["e": "v"])
                .payload, visitorID: "a", segments: nil)
        #expect(
            batch.visitors.arrayValue?.first?.objectValue?["events"] == [
                ["eventType": "conversion", "data": ["goalId": "g"]],
                [
                    "eventType": "conversion",
                    "data": [
                        "goalId": "g", "goalData": [["key": "amount", "value": 5]], "bucketingData": ["e": "v"],
                    ],
                ],
            ])
    }
}
