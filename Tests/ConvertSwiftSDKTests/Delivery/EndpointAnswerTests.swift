import ConvertMonitoring
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What each status means for events.
struct EndpointAnswerTests {
    static let outages: [(cause: DeliveryOutage.Cause, statuses: [Int])] = [
        (.credentials, [401, 402, 403]),
        (.address, Array(300...399) + [404, 405, 410, 414, 421]),
        (.proxy, [407, 425, 451, 511]),
        (.unavailable, Array(100...199) + [408, 429, 500, 502, 503, 504] + (506...509) + (512...599)),
        (
            .request,
            [406, 409, 411, 412] + (415...420) + [423, 424] + (426...428) + [430] + (431...450) + (452...499)
                + [501, 505, 510]
        ),
    ]

    private func result(_ status: Int) -> DeliveryState.SendResult {
        TrackingEndpoint.result(status: status, retryAfter: nil, at: Date())
    }

    @Test func everyStatusHasItsClass() {
        var expected: [Int: DeliveryState.SendResult] = [:]
        for status in 200...299 { expected[status] = .delivered }
        for status in [400, 413, 422] { expected[status] = .refused(status: status) }
        for (cause, statuses) in Self.outages {
            for status in statuses { expected[status] = .failed(cause, status: status, retryAfter: nil) }
        }
        for status in 100...599 {
            #expect(result(status) == expected[status], "status \(status)")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 99, 600, 999, Int.max]) func aNumberThatIsNoStatusKeepsTheEvents(status: Int) {
        #expect(result(status) == .failed(.unavailable, status: status, retryAfter: nil))
    }
}
