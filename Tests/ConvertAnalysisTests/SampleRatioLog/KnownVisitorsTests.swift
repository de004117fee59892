@testable import ConvertAnalysis
import Testing

/// The variations that visitors had last.
struct KnownVisitorsTests {
    private static func variation(_ arm: Int, _ config: Int = 0) -> KnownVisitors.Variation {
        KnownVisitors.Variation(arm: arm, config: config)
    }

    @Test func aVisitorHasOneVariationInEachExperience() {
        var visitors = KnownVisitors()
        for experience in 0..<9 {
            #expect(visitors.update(Self.variation(experience, 7), of: 1, in: experience) == nil)
        }
        for experience in 0..<9 {
            let last = visitors.update(Self.variation(0), of: 1, in: experience)
            #expect(last?.arm == experience && last?.config == 7)
        }
        #expect(visitors.update(Self.variation(0), of: 2, in: 0) == nil && !visitors.isFull)
    }

    @Test(arguments: [1, 2, 4])
    func manyVisitorsAreKnownWhateverTheNumberOfExperiences(width: Int) {
        var visitors = KnownVisitors(experiences: width)
        for round in 0..<2 {
            for visitor in 0..<20_000 as Range<UInt64> {
                let experience = Int(visitor % 7)
                let last = visitors.update(
                    Self.variation(Int(visitor % 5) + round), of: visitor &* 0x1000, in: experience)
                #expect(last?.arm == (round == 0 ? nil : Int(visitor % 5)))
            }
        }
        #expect(!visitors.isFull)
    }

    @Test func beyondTheLimitOnlyKnownVisitorsAreKept() {
        var visitors = KnownVisitors(limit: 2)
        for visitor in 1...2 as ClosedRange<UInt64> { _ = visitors.update(Self.variation(1), of: visitor, in: 0) }
        #expect(!visitors.isFull)
        #expect(visitors.update(Self.variation(1), of: 3, in: 0) == nil && visitors.isFull)
        #expect(visitors.update(Self.variation(1), of: 3, in: 0) == nil)
        #expect(visitors.update(Self.variation(0), of: 2, in: 0)?.arm == 1)
    }
}
