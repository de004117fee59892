import ConvertConcurrency
import Testing

struct StripedTests {
    private final class Element: Sendable {}

    @Test func everyElementIsMadeAndLetGoOnce() {
        let made = Mutex<[Weak]>([])
        do {
            let striped = Striped {
                let element = Element()
                made.withLock { $0.append(Weak(element: element)) }
                return element
            }
            #expect(made.withLock { $0.count { $0.element != nil } } == Striped<Element>.count)
            for index in 0..<Striped<Element>.count {
                let element = striped.withElement(at: index) { $0 }
                #expect(made.withLock { $0[index].element === element })
            }
        }
        #expect(made.withLock { $0.allSatisfy { $0.element == nil } })
    }

    @Test func aThreadGetsTheSameElementEachTime() {
        let striped = Striped { Element() }
        let first = striped.withCurrent { $0 }
        #expect((0..<100).allSatisfy { _ in striped.withCurrent { $0 } === first })
    }

    private struct Weak {
        weak var element: Element?
    }
}
