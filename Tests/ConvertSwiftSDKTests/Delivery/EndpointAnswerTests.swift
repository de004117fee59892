import ConvertMonitoring
import Testing

@testable import ConvertSwiftSDK

/// What each status means for events.
struct EndpointAnswerTests {
    static let classes: [(answer: EndpointAnswer, statuses: [Int])] = [
        (.taken, Array(200...299)),
        (.refusedBody, [400, 413, 422]),
        (.outage(.credentials), [401, 402, 403]),
        (.outage(.address), Array(300...399) + [404, 405, 410, 414, 421]),
        (.outage(.proxy), [407, 425, 451, 511]),
        (.outage(.unavailable), Array(100...199) + [408, 429, 500, 502, 503, 504] + (506...509) + (512...599)),
        (
            .outage(.request),
            [406, 409, 411, 412] + (415...420) + [423, 424] + (426...428) + [430] + (431...450) + (452...499)
                + [501, 505, 510]
        ),
    ]

    @Test func everyStatusHasItsClass() {
        var expected: [Int: EndpointAnswer] = [:]
        for (answer, statuses) in Self.classes {
            for status in statuses { expected[status] = answer }
        }
        for status in 100...599 {
            #expect(EndpointAnswer(status: status) == expected[status], "status \(status)")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 99, 600, 999, Int.max]) func aNumberThatIsNoStatusKeepsTheEvents(status: Int) {
        #expect(EndpointAnswer(status: status) == .outage(.unavailable))
    }
}
