import ConvertConcurrency
import Foundation

/// Runs `body`, blocks the calling thread until it ends, and returns its result or throws its error.
func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        result.withLock { $0 = outcome }
        isDone.signal()
    }
    isDone.wait()
    return try result.withLock { $0 }?.get() ?? { throw BenchmarkFailure(description: "no result") }()
}
