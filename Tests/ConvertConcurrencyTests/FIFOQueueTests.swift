import ConvertConcurrency
import Testing

struct FIFOQueueTests {
    private final class Element {}

    private struct Weak {
        weak var element: Element?
    }

    @Test func elementsComeOutInTheOrderInWhichTheyWentIn() {
        var queue = FIFOQueue<Int>()
        var taken: [Int] = []
        for element in 0..<100 {
            queue.append(element)
            if element % 3 != 0, let oldest = queue.popFirst() { taken.append(oldest) }
            #expect(queue.count == element + 1 - taken.count)
        }
        #expect(taken + queue.elements == Array(0..<100))
        while queue.popFirst() != nil {}
        #expect(queue.elements.isEmpty)
    }

    @Test func aRemovedElementIsReleased() {
        var queue = FIFOQueue<Element>()
        var all: [Weak] = []
        // A large capacity, of which two places are used later on.
        for step in 0..<200 {
            let element = Element()
            all.append(Weak(element: element))
            queue.append(element)
            while step >= 100, queue.count > 2 { _ = queue.popFirst() }
            #expect(all.filter { $0.element != nil }.count == queue.count)
        }
    }
}
