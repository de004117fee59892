import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

struct RangePartitioningTests {
    @Test func thePlaceIsTheOneThatAScanFinds() {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: seed)
            let numbers = (0..<random.int(0...20)).map { _ in random.int(0...30) }.sorted()
            let bound = random.int(-1...31)
            let start = random.int(0...numbers.count)
            let places = start..<numbers.count
            let scanned = places.first { numbers[$0] >= bound } ?? numbers.count
            #expect(places.partitioningIndex { numbers[$0] >= bound } == scanned, "seed \(seed)")
        }
    }
}
