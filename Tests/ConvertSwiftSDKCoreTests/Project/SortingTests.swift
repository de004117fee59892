import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

struct SortingTests {
    @Test func elementsFromAPlaceOnAreSortedAndUnique() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let head = (0..<Int.random(in: 0...3, using: &generator)).map { 50 - $0 }
            let count = Int.random(in: 0...40, using: &generator)
            let tail = (0..<count).map { _ in Int.random(in: 0..<20, using: &generator) }
            var elements = head + tail
            elements.sortAndMakeUnique(from: head.count)
            #expect(elements == head + Set(tail).sorted())
        }
    }
}
