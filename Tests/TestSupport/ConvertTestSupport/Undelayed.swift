import Dispatch

/// Runs `body` on a thread of its own, apart from the few that all tests share: its steps do not each wait behind those
/// of a thousand other tests. For what changes when minutes pass between two steps, as a connection that is kept for a
/// while.
package func undelayed<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(OwnThread(), operation: body)
}

private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test's own")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
