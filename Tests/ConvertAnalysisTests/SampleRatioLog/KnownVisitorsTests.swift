@testable import ConvertAnalysis
import Testing

/// What is known of visitors.
struct KnownVisitorsTests {
    private static func mark(_ first: Int, _ second: Int = 0) -> KnownVisitors.Mark {
        KnownVisitors.Mark(first: first, second: second)
    }

    @Test func aVisitorHasOneMarkInEachExperience() {
        var visitors = KnownVisitors()
        for experience in 0..<9 {
            #expect(visitors.update(Self.mark(experience, 7), of: 1, in: experience) == nil)
        }
        for experience in 0..<9 {
            let last = visitors.update(Self.mark(0), of: 1, in: experience)
            #expect(last?.first == experience && last?.second == 7)
        }
        #expect(visitors.update(Self.mark(0), of: 2, in: 0) == nil && !visitors.isFull)
    }

    @Test(arguments: [1, 2, 4])
    func manyVisitorsAreKnownWhateverTheNumberOfExperiences(width: Int) {
        var visitors = KnownVisitors(experiences: width)
        for round in 0..<2 {
            for visitor in 0..<20_000 as Range<UInt64> {
                let experience = Int(visitor % 7)
                let last = visitors.update(
                    Self.mark(Int(visitor % 5) + round), of: visitor &* 0x1000, in: experience)
                #expect(last?.first == (round == 0 ? nil : Int(visitor % 5)))
            }
        }
        #expect(!visitors.isFull)
    }

    @Test func beyondTheLimitOnlyKnownVisitorsAreKept() {
        var visitors = KnownVisitors(limit: 2)
        for visitor in 1...2 as ClosedRange<UInt64> { _ = visitors.update(Self.mark(1), of: visitor, in: 0) }
        #expect(!visitors.isFull)
        #expect(visitors.update(Self.mark(1), of: 3, in: 0) == nil && visitors.isFull)
        #expect(visitors.update(Self.mark(1), of: 3, in: 0) == nil)
        #expect(visitors.update(Self.mark(0), of: 2, in: 0)?.first == 1)
    }
}
