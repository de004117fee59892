import ConvertConcurrency
import Foundation
import Testing

@testable import ConvertAnalysis

struct StreamFoldTests {
    private struct WriteError: Error {}

    @Test func aFailedWriteDoesNotWaitForMoreInput() throws {
        let (isWaiting, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let number = Counter()
        let fold = StreamFold<Int, Int, Int>(
            into: 0,
            from: {
                let next = number.next()
                guard next > 0 else { return next }
                isWaiting.signal()
                // So that the test ends even if it fails.
                if isOver.wait(timeout: .now() + 20) == .timedOut { Issue.record("The input was waited for.") }
                return nil
            },
            by: { { $0 } },
            adding: { (_: inout Int, _: Int) in
                isWaiting.wait()
                throw WriteError()
            })
        #expect(throws: WriteError.self) { try fold.run(threads: 2) }
        isOver.signal()
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
