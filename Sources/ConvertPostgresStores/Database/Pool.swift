#if Postgres
import ConvertConcurrency
import Foundation

/// A bounded number of connections to one database, opened on demand, and a queue of operations that wait for one.
///
/// Each connection waits on a thread of its own, so that no thread of Swift's task pool blocks. If the database cannot
/// be reached, one connection retries with backoff; meanwhile all operations fail at once instead of waiting.
final class Pool: Sendable {
    struct Options: Sendable {
        var size = 4
        /// The time limit of one call of a connection, and of connecting.
        var timeout = Duration.seconds(5)
        /// The maximum number of operations that wait for a connection.
        var lineLimit = 10_000
        /// The delays after failed attempts to connect.
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(5))
    }

    /// The effect of an operation, from weak to strong. A success ends the report about a failure only if its effect is
    /// at least as strong as the failed operation's: a database that cannot be written to, or whose writers wait for a
    /// lock, still answers reads and renews leases.
    enum Effect: Int { case reads, changes, stores }

    /// An operation on a slot, run on the slot's thread.
    typealias Job = @Sendable (Slot) -> Void

    /// A place for a connection.
    final class Slot: Sendable {
        let queue = DispatchQueue(label: "ConvertPostgresStores")
        let owned = Mutex(Owned())
    }

    // Sendable: the mutex around the value gives the connection to one thread at a time, and the connection never
    // leaves the mutex.
    struct Owned: @unchecked Sendable { var connection: Connection? }

    private struct State {
        /// Unused slots that have a connection.
        var idle: [Slot] = []
        var isClosed = false
        var empty: [Slot]
        /// The number of slots with a connection, used or not.
        var connected = 0
        var waiting = FIFOQueue<Job>()
        /// The number of slots that were woken for a waiting job and have not taken one yet.
        var starting = 0
        /// The number of consecutive failed attempts to connect.
        var failures = 0
        var lastError: StorageError?
        var retryTime = ContinuousClock.now
        var isTrying = false
        /// The number of attempts to connect that timed out. libpq would spend the whole time limit on the first host
        /// again, so the next attempt begins with the next host.
        var turn = 0
        /// The failure that was reported and has not ended.
        var reported: (error: StorageError, effect: Effect)?
        var generator = SystemRandomNumberGenerator()

        /// Whether new connections must wait because an attempt failed recently.
        var isPausing: Bool { failures > 0 && (isTrying || ContinuousClock.now < retryTime) }
    }

    let address: DatabaseAddress
    let schema: Schema
    let options: Options
    let reports: StoreReports
    private let slots: [Slot]
    private let state: Mutex<State>
    private let reporting = DispatchQueue(label: "ConvertPostgresStores.reports")

    init(
        _ address: DatabaseAddress, schema: Schema, options: Options,
        reports: StoreReports
    ) {
        self.address = address
        self.schema = schema
        self.options = options
        self.reports = reports
        slots = (0..<max(1, options.size)).map { _ in Slot() }
        state = Mutex(State(empty: slots))
    }

    /// Closes each connection after its current operation. From then on all operations fail.
    func close() async {
        state.withLock { $0.isClosed = true }
        for slot in slots {
            // A slot's queue is serial.
            await withCheckedContinuation { continuation in
                slot.queue.async {
                    slot.owned.withLock { if $0.connection != nil { self.drop(&$0) } }
                    continuation.resume()
                }
            }
        }
    }

    /// Runs `body` with a connection. If the connection turns out to be lost, `body` runs a second time. A transaction
    /// in `body` whose commit has an unknown result must therefore change nothing when it is repeated.
    func perform<Result: Sendable>(
        _ effect: Effect = .reads, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            submit(effect, body) { continuation.resume(with: $0) }
        }
    }

    /// Like ``perform(_:_:)``, but calls `completion` with the result, on the connection's thread.
    func submit<Result: Sendable>(
        _ effect: Effect, _ body: @escaping @Sendable (Connection) throws -> Result,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let isTaken = enqueue { slot in completion(Swift.Result { try self.run(body, on: slot, effect) }) }
        if !isTaken { completion(.failure(StorageError(.busy, path: address.name))) }
    }

    /// Like ``perform(_:_:)``, but blocks the caller's thread, for at most `patience`. `body` may still run after that.
    func performBlocking<Result: Sendable>(
        within patience: Duration, _ effect: Effect = .reads, _ body: @escaping @Sendable (Connection) throws -> Result
    ) throws -> Result {
        let shared = Shared<Result>()
        submit(effect, body) { result in
            shared.outcome.withLock { $0 = result }
            shared.end.signal()
        }
        let nanoseconds = Int(clamping: Int64(patience / .nanoseconds(1)))
        guard shared.end.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success,
            let result = shared.outcome.withLock({ $0 })
        else { throw StorageError(.timedOut, path: address.name) }
        return try result.get()
    }

    /// The state that the waiting thread and the working thread share.
    private final class Shared<Result: Sendable>: Sendable {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
    }

    /// Reports `diagnostic` on another thread: the caller may hold locks that `report` needs.
    func reportLater(_ diagnostic: StoreDiagnostic) { reporting.async { [reports] in reports.report(diagnostic) } }

    // MARK: The line

    private func enqueue(_ job: @escaping Job) -> Bool {
        let (isTaken, slot) = state.withLock { state -> (Bool, Slot?) in
            // The most recently used slot. The server may have closed the connections of others by now. If no further
            // connection can be opened now, the existing ones do all the work.
            let isFull = state.connected > 0 && state.isPausing
            let isFree = !state.idle.isEmpty || !isFull && !state.empty.isEmpty
            let hasRoom = isFree || state.waiting.count - state.starting < options.lineLimit
            if state.isClosed || !hasRoom { return (false, nil) }
            state.waiting.append(job)
            if isFree { state.starting += 1 }
            return (true, isFree ? state.idle.popLast() ?? state.empty.popLast() : nil)
        }
        if let slot { begin(slot) }
        return isTaken
    }

    private func begin(_ slot: Slot) {
        slot.queue.async { [self] in
            slot.owned.withLock { _ = try? connection(&$0) }
            state.withLock { $0.starting -= 1 }
            while let job = next(for: slot) { job(slot) }
        }
    }

    /// The next job of a slot. A slot without a connection gets no job while other slots are connected.
    private func next(for slot: Slot) -> Job? {
        let hasConnection = slot.owned.withLock { $0.connection != nil }
        let (job, other) = state.withLock { state -> (Job?, Slot?) in
            if hasConnection || state.connected == 0, let job = state.waiting.popFirst() { return (job, nil) }
            if hasConnection { state.idle.append(slot) } else { state.empty.append(slot) }
            guard state.waiting.count > state.starting, let other = state.idle.popLast() else { return (nil, nil) }
            state.starting += 1
            return (nil, other)
        }
        if let other { begin(other) }
        return job
    }

    // MARK: One operation

    private func run<Result: Sendable>(
        _ body: (Connection) throws -> Result, on slot: Slot, _ effect: Effect
    ) throws -> Result {
        let result = Swift.Result {
            try slot.owned.withLock { owned in
                do {
                    return try attempt(body, &owned)
                } catch let error as StorageError where error.code == .unreachable {
                    // The server has closed the connection meanwhile, as a restarted server does.
                    return try attempt(body, &owned)
                }
            }
        }
        switch result {
        case .success: noteSuccess(effect)
        case .failure(let error as StorageError) where error.isUnavailability: noteFailure(error, effect)
        case .failure: break
        }
        return try result.get()
    }

    private func attempt<Result: Sendable>(
        _ body: (Connection) throws -> Result, _ owned: inout Owned
    ) throws -> Result {
        let connection = try connection(&owned)
        do {
            return try body(connection)
        } catch let error as StorageError {
            if error.code == .missingRight && !connection.isLost {
                throw error.naming((try? schema.missingGrants(connection)) ?? nil)
            }
            // A new connection may reach a server that accepts writes, or may find or create the tables.
            if connection.isLost || error.code == .readOnly || error.isAboutTheSchema { drop(&owned) }
            throw error
        }
    }

    private func drop(_ owned: inout Owned) {
        owned.connection = nil
        state.withLock { $0.connected -= 1 }
    }

    private func connection(_ owned: inout Owned) throws -> Connection {
        if let connection = owned.connection {
            if !connection.isLost { return connection }
            drop(&owned)
        }
        let (refusal, turn, failures) = state.withLock { state -> (StorageError?, Int, Int) in
            if state.isClosed { return (StorageError(.busy, path: address.name), 0, 0) }
            if state.isPausing { return (state.lastError, 0, 0) }
            if state.failures > 0 { state.isTrying = true }
            return (nil, state.turn, state.failures)
        }
        if let refusal { throw refusal }
        do {
            let connection = try Connection(address, timeout: options.timeout, turn: turn)
            try schema.apply(to: connection, timeout: options.timeout)
            owned.connection = connection
            state.withLock { state in
                state.connected += 1
                state.failures = 0
                state.isTrying = false
            }
            return connection
        } catch {
            let known = error as? StorageError ?? StorageError(.other, path: address.name)
            let isAlone = state.withLock { state in
                // Concurrent failures count as one attempt.
                state.failures = max(state.failures, failures + 1)
                if known.code == .timedOut { state.turn = turn &+ 1 }
                state.isTrying = false
                state.lastError = known
                state.retryTime = .now + options.backoff.delay(after: state.failures, using: &state.generator)
                return state.connected == 0
            }
            // For any reason, even an error that is not an outage on an open connection.
            if isAlone { noteFailure(known, .reads) }
            throw known
        }
    }

    private func noteFailure(_ error: StorageError, _ effect: Effect) {
        let isNews = state.withLock { state in
            let known = state.reported?.effect ?? .reads
            defer { state.reported = (error, known.rawValue > effect.rawValue ? known : effect) }
            return state.reported == nil
        }
        if isNews { reportLater(.databaseUnavailable(error)) }
    }

    private func noteSuccess(_ effect: Effect) {
        let isNews = state.withLock { state in
            guard let (error, failed) = state.reported else { return false }
            if error.isAboutWriting || error.code == .timedOut, effect.rawValue < failed.rawValue { return false }
            state.reported = nil
            return true
        }
        if isNews { reportLater(.databaseAvailable(path: address.name)) }
    }
}
#endif
