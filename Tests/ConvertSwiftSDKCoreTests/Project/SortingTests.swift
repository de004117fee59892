import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

struct SortingTests {
    @Test func elementsAreSortedAndUnique() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...40, using: &generator)
            var elements = (0..<count).map { _ in Int.random(in: 0..<20, using: &generator) }
            let distinct = Set(elements)
            elements.sortAndMakeUnique()
            #expect(elements == distinct.sorted())
        }
    }
}
