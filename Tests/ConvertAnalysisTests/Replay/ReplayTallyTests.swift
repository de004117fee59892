@testable import ConvertAnalysis
import ConvertECMAScript
import Testing

struct ReplayTallyTests {
    @Test func numbersOfThePageHaveSeparatedThousands() {
        var tally = ReplayTally()
        tally.decisionCount = 12_345
        tally.withheldCount = 6_789
        let page = tally.html()
        #expect(page.contains("of 12,345 decisions") && page.contains("6,789 cannot be known"))
    }

    @Test func onlyTheFirstRoutesAreListed() {
        var tally = ReplayTally()
        var part = ReplayTally()
        for number in 0..<(ReplayTally.routeLimit + 50) {
            let difference = DecisionReplay.Difference(
                visitorID: "v", subject: .feature("f"), logged: .integer(number), found: .null, reason: "off",
                withheld: [])
            part.add(1, by: ReplayRoute(difference))
        }
        tally.add(part)
        tally.add(part)
        #expect(tally.routes.count == ReplayTally.routeLimit && tally.otherRouteCount == 100)
        #expect(tally.routes.values.allSatisfy { $0 == 2 })
    }

    @Test func theTextsOfListedRoutesAreBounded() {
        var tally = ReplayTally()
        for number in 0..<20 {
            let text = "\(number)" + String(repeating: "x", count: ReplayTally.routeLengthLimit / 10)
            let difference = DecisionReplay.Difference(
                visitorID: "v", subject: .feature("f"), logged: .string(text), found: .null, reason: "off",
                withheld: [])
            tally.add(1, by: ReplayRoute(difference))
        }
        #expect(tally.routes.count == 9 && tally.otherRouteCount == 11)
    }
}
