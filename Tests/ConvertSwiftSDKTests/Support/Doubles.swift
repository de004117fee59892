import ConvertTestSupport
import ConvertTransport
import Foundation
import ConvertConcurrency

@testable import ConvertSwiftSDK

extension ScriptedTransport {
    /// The bodies of the tracking requests.
    var bodies: [JSObject] {
        requests.compactMap { request in
            request.method == "POST" ? request.body.flatMap { try? JSONDecoder().decode(JSObject.self, from: $0) } : nil
        }
    }

    /// The events that were sent, in order, with their visitors.
    var events: [(visitor: String, event: JSValue)] {
        bodies.flatMap { body in
            (body["visitors"]?.arrayValue ?? []).flatMap { visitor in
                (visitor.objectValue?["events"]?.arrayValue ?? []).map {
                    (visitor.objectValue?["visitorId"]?.stringValue ?? "", $0)
                }
            }
        }
    }
}

/// Keeps messages.
final class RecordingLogger: ConvertLogger {
    private let recorded = Mutex<[(level: LogLevel, message: String)]>([])

    var messages: [(level: LogLevel, message: String)] { recorded.withLock { $0 } }

    var warnings: [String] { messages.filter { $0.level >= .warn }.map(\.message) }

    func log(_ level: LogLevel, _ message: String) { recorded.withLock { $0.append((level, message)) } }
}

/// Keeps events that were told.
final class RecordingListener: Sendable {
    private let recorded = Mutex<[SDKEvent]>([])

    var events: [SDKEvent] { recorded.withLock { $0 } }

    func take(_ event: SDKEvent) { recorded.withLock { $0.append(event) } }
}

struct Failure: Error {}

/// A journal in memory that can be told to fail.
final class ListJournal: EventJournal {
    struct State {
        var nextID: Int64 = 1
        var entries: [JournaledEvent] = []
        var isFailing = false
        var refusesRemoval = false
        var removalsRefused = 0
    }

    let state: Mutex<State>

    init(_ records: [Data] = []) {
        state = Mutex(State())
        _ = try? append(records)
    }

    var isFailing: Bool {
        get { state.withLock { $0.isFailing } }
        set { state.withLock { $0.isFailing = newValue } }
    }

    var refusesRemoval: Bool {
        get { state.withLock { $0.refusesRemoval } }
        set { state.withLock { $0.refusesRemoval = newValue } }
    }

    var removalsRefused: Int { state.withLock { $0.removalsRefused } }

    var count: Int { state.withLock { $0.entries.count } }

    func append(_ records: [Data]) throws -> [Int64] {
        try state.withLock { state in
            if state.isFailing { throw Failure() }
            return records.map { record in
                defer { state.nextID += 1 }
                state.entries.append(JournaledEvent(id: state.nextID, record: record))
                return state.nextID
            }
        }
    }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        try state.withLock { state in
            if state.isFailing { throw Failure() }
            return Array(state.entries.filter { $0.id > id }.prefix(limit))
        }
    }

    func remove(_ ids: [Int64]) async throws {
        try state.withLock { state in
            if state.refusesRemoval { state.removalsRefused += 1 }
            if state.isFailing || state.refusesRemoval { throw Failure() }
            let ids = Set(ids)
            state.entries.removeAll { ids.contains($0.id) }
        }
    }
}

/// A store whose calls wait until they are let go, and fail while they are told to.
final class GatedStore: VisitorStore {
    let inner = InMemoryVisitorStore()
    let loads = Latch()
    private let failing = Mutex(false)
    private let saved = Mutex<[String]>([])
    private let hold = Mutex<(latch: Latch?, begun: Int)>((nil, 0))
    private let answers = Mutex<(latch: Latch?, read: Int)>((nil, 0))

    init(isOpen: Bool = true) {
        if isOpen { loads.open() }
    }

    var isFailing: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    var savedKeys: [String] { saved.withLock { $0 } }

    /// How many calls of `save` have begun.
    var savesBegun: Int { hold.withLock { $0.begun } }

    /// Makes later calls of `save` wait.
    func holdSaves(until latch: Latch) { hold.withLock { $0.latch = latch } }

    /// How many calls of `load` have read their record.
    var recordsRead: Int { answers.withLock { $0.read } }

    /// Makes later calls of `load` wait between reading the record and returning it.
    func holdAnswers(until latch: Latch) { answers.withLock { $0.latch = latch } }

    func load(_ key: String) async throws -> VisitorState? {
        _ = await loads.wait()
        let record = try await inner.load(key)
        let latch = answers.withLock { answers in
            answers.read += 1
            return answers.latch
        }
        _ = await latch?.wait()
        if isFailing { throw Failure() }
        return record
    }

    func save(_ changes: VisitorState, for key: String) async throws {
        let latch = hold.withLock { hold in
            hold.begun += 1
            return hold.latch
        }
        _ = await latch?.wait()
        if isFailing { throw Failure() }
        saved.withLock { $0.append(key) }
        try await inner.save(changes, for: key)
    }
}
