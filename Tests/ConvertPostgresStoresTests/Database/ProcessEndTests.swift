#if Postgres && compiler(>=6.2)
import ConvertStoreSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)), .serialized)
struct ProcessEndTests {
    /// What libpq uses is taken down by `exit` while other threads are at work.
    @Test(arguments: 1...20) func aProcessEndsInOrderWhileConnectionsAreMade(delay: Int) async {
        await #expect(processExitsWith: .success) { [delay] in
            let address = try DatabaseAddress(#require(TestDatabase.address))
            for _ in 0..<4 {
                Thread.detachNewThread { while (try? Connection(address, timeout: .seconds(300))) != nil {} }
            }
            try await Task.sleep(for: .milliseconds(10 * delay))
            exit(0)
        }
    }

    @Test func aProcessEndsThoughAStatementIsUnderWay() async {
        await #expect(processExitsWith: .success) {
            let address = try DatabaseAddress(#require(TestDatabase.address))
            let begun = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let connection = try? Connection(address, timeout: .seconds(300))
                begun.signal()
                _ = try? connection?.run(Command("SELECT pg_sleep(300)"))
            }
            try #require(begun.wait(timeout: .now() + 300) == .success)
            exit(0)
        }
    }
}
#endif
