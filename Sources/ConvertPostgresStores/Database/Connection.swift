#if Postgres
import CConvertPostgres
import ConvertConcurrency
import ConvertStoreSupport

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One connection to a database server.
///
/// It belongs to one owner who uses it from one thread at a time; it has no lock of its own. Its calls block the
/// caller's thread until the server has answered, but none longer than the time limit, which an ``Alarm`` enforces. The
/// one exception is the system's look-up of a host's name, while connecting. A connection on which a call came to no
/// end is of no use any more: see ``isLost``.
@safe
final class Connection {
    /// The database as errors call it.
    let name: String

    // Open from `init` to `deinit`.
    private let handle: OpaquePointer
    private let alarm: Alarm
    /// By the place of their literals; whether the server has them.
    private var prepared: Set<UnsafePointer<UInt8>> = unsafe []
    private var isGivenUp = false

    /// Whether libpq can be called: not if the process was ending before its first call.
    private static let isInitialized = LibraryUse.initialize(nil) {} != nil
    /// After which a thread that connects looks whether the process is ending.
    private static let longestPoll = Duration.milliseconds(100)

    /// Whether nothing can be done over it any more.
    var isLost: Bool { unsafe isGivenUp || PQstatus(handle) != CONNECTION_OK }

    /// Connects.
    /// - Parameter turn: how many hosts of several to begin behind.
    /// - Throws: `StorageError`, `unreachable` among others.
    init(_ address: DatabaseAddress, timeout: Duration, turn: Int = 0) throws(StorageError) {
        name = address.name
        guard Self.isInitialized else { throw StorageError(.unreachable, path: address.name) }
        let opened = try unsafe LibraryUse.whileTheProcessLasts { () throws(StorageError) -> (OpaquePointer, Alarm)? in
            let handle = try unsafe Self.connect(to: address, turn, until: .now + timeout)
            if let alarm = unsafe Alarm(PQsocket(handle), timeout: timeout) { return unsafe (handle, alarm) }
            unsafe PQfinish(handle)
            return nil
        }
        guard let (handle, alarm) = unsafe opened ?? nil else { throw StorageError(.unreachable, path: address.name) }
        unsafe (self.handle, self.alarm) = unsafe (handle, alarm)
    }

    deinit { LibraryUse.whileTheProcessLasts { unsafe PQfinish(handle) } }

    /// Runs `command`, and returns its rows.
    func run(_ command: Command) throws(StorageError) -> Rows { try run([command])[0] }

    /// Runs `commands` one after the other, without waiting for the server between them, and returns the rows of each.
    ///
    /// Unless they begin or end a transaction themselves, they are one: if one of them fails, none had an effect.
    func run(_ commands: [Command]) throws(StorageError) -> [Rows] {
        try inTime { () throws(StorageError) in try pipeline(commands) }
    }

    /// Runs statements without parameters and rows, in one transaction unless they say otherwise.
    func execute(_ sql: String) throws(StorageError) {
        try inTime { () throws(StorageError) in
            let result = unsafe PQexec(handle, sql)
            defer { unsafe PQclear(result) }
            guard let result = unsafe result else { throw lost() }
            if unsafe PQresultStatus(result) == PGRES_FATAL_ERROR { throw unsafe error(of: result) }
        }
    }

    /// Runs `body` within the time limit, after which the connection cannot be used.
    private func inTime<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        guard let use = LibraryUse.begin(stop: { [alarm] in alarm.ring() }) else { throw lost() }
        defer { LibraryUse.end(use) }
        do {
            alarm.start()
            defer { alarm.stop() }
            return try body()
        } catch {
            // What was not read to its end would be taken for the next answer.
            if error.code == .timedOut || error.code == .unreachable { isGivenUp = true }
            throw error.code == .unreachable && alarm.hasRung ? StorageError(.timedOut, path: name) : error
        }
    }

    /// Runs `body` in a transaction that is committed, or rolled back if `body` or the commit fails.
    ///
    /// - Parameters:
    ///   - commands: what it begins with, and returns the rows of; on its way together with the beginning.
    ///   - body: returns what it is to end with; on its way together with the end.
    func transaction<Result>(
        _ commands: [Command] = [], _ body: ([Rows]) throws -> (ending: [Command], result: Result)
    ) throws -> Result {
        do {
            let rows = try run([.begin] + commands)
            let (ending, result) = try body(Array(rows.dropFirst()))
            _ = try run(ending + [.commit])
            return result
        } catch {
            if !isLost, unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { try? execute("ROLLBACK") }
            throw error
        }
    }

    // MARK: The pipeline

    @safe
    private enum Answer { case preparation(UnsafePointer<UInt8>), rows }

    private func pipeline(_ commands: [Command]) throws(StorageError) -> [Rows] {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        defer { unsafe PQexitPipelineMode(handle) }
        var answers: [Answer] = []
        var announced: Set<UnsafePointer<UInt8>> = unsafe []
        for command in commands {
            // The literal of a single character has no pointer.
            guard command.sql.hasPointerRepresentation else { throw lost() }
            let place = unsafe command.sql.utf8Start
            let name = "s\(UInt(bitPattern: place))"
            if unsafe !prepared.contains(place), unsafe announced.insert(place).inserted {
                let types = command.values.map(\.type)
                guard unsafe PQsendPrepare(handle, name, command.sql.description, Int32(types.count), types) == 1 else {
                    throw lost()
                }
                unsafe answers.append(.preparation(place))
            }
            try send(command, name)
            answers.append(.rows)
        }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
        return try collect(answers)
    }

    private func send(_ command: Command, _ name: String) throws(StorageError) {
        let values = command.values.map(\.bytes)
        // All in one array, into which libpq gets pointers; it copies what they point to. A byte more, so that no value
        // is without a place: a null pointer would be NULL.
        var all: [UInt8] = []
        all.reserveCapacity(values.reduce(1) { $0 + $1.count })
        for value in values { all += value }
        all.append(0)
        let lengths = values.map { Int32(clamping: $0.count) }
        let formats = [Int32](repeating: 1, count: values.count)
        let status = unsafe all.withUnsafeBytes { bytes in
            var offset = 0
            let pointers = unsafe values.map { value -> UnsafePointer<CChar>? in
                defer { offset += value.count }
                return unsafe bytes.baseAddress.map { unsafe ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard status == 1 else { throw lost() }
    }

    /// Reads the answers, and after a failure what is left up to the end of the pipeline.
    private func collect(_ answers: [Answer]) throws(StorageError) -> [Rows] {
        var rows: [Rows] = []
        var failure: StorageError?
        for answer in answers {
            while let result = unsafe PQgetResult(handle) {
                switch unsafe PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    switch answer {
                    case .preparation(let place):
                        unsafe prepared.insert(place)
                        unsafe PQclear(result)
                    case .rows: unsafe rows.append(Rows(result))
                    }
                case PGRES_FATAL_ERROR:
                    failure = unsafe failure ?? error(of: result)
                    unsafe PQclear(result)
                default: unsafe PQclear(result)
                }
                if isLost { throw failure ?? lost() }
            }
        }
        // The end of the pipeline is a result of its own. What commits there, without a transaction begun, may fail
        // before it.
        var isAtEnd = false
        while !isAtEnd, let result = unsafe PQgetResult(handle) {
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: isAtEnd = true
            case PGRES_FATAL_ERROR: failure = unsafe failure ?? error(of: result)
            default: break
            }
        }
        if !isAtEnd { isGivenUp = true }
        if let failure { throw failure }
        guard isAtEnd else { throw lost() }
        guard rows.count == answers.count(where: { if case .rows = $0 { true } else { false } }) else { throw lost() }
        return rows
    }

    private func lost() -> StorageError {
        isGivenUp = true
        return StorageError(.unreachable, path: name)
    }

    private func error(of result: OpaquePointer) -> StorageError {
        // 'C', the code; a result that libpq made because the connection is lost has none.
        guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map({ unsafe String(cString: $0) })
        else {
            return lost()
        }
        // A pooler in between has reset the session: prepared statements and the search path are gone.
        return code == "26000" ? lost() : StorageError(sqlState: code, path: name)
    }

    /// The reason why no connection came about. There is no result to ask; the code is the last word of the message.
    private static func connectError(of handle: OpaquePointer, _ name: String) -> StorageError {
        let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        let word = message.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        let isCode = word.utf8.count == 5 && word.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        // Without a password libpq gives up by itself.
        guard isCode else {
            return unsafe StorageError(PQconnectionNeedsPassword(handle) == 1 ? .refused : .unreachable, path: name)
        }
        let error = StorageError(sqlState: word, path: name)
        // The only right that it takes to get in.
        return unsafe error.code == .missingRight ? error.naming(connectGrant(of: handle)) : error
    }

    private static func connectGrant(of handle: OpaquePointer) -> String? {
        guard let database = unsafe PQdb(handle), let user = unsafe PQuser(handle) else { return nil }
        return unsafe "GRANT CONNECT ON DATABASE \(quoted(database)) TO \(quoted(user))"
    }

    private static func quoted(_ name: UnsafePointer<CChar>) -> String {
        let parts = unsafe String(cString: name).split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }

    // MARK: Connecting and waiting

    private static func connect(
        to address: DatabaseAddress, _ turn: Int, until end: ContinuousClock.Instant
    ) throws(StorageError) -> OpaquePointer {
        guard let handle = unsafe address.beginConnecting(turn) else {
            throw StorageError(.unreachable, path: address.name)
        }
        do throws(StorageError) {
            // Errors are read for their codes; their texts may hold visitor data.
            unsafe PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
            unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
            var status = unsafe PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
            while status != PGRES_POLLING_OK {
                if status == PGRES_POLLING_FAILED { throw unsafe connectError(of: handle, address.name) }
                let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
                try unsafe wait(for: events, on: handle, until: end, address.name)
                status = unsafe PQconnectPoll(handle)
            }
            return unsafe handle
        } catch {
            unsafe PQfinish(handle)
            throw error
        }
    }

    private static func wait(
        for events: some BinaryInteger, on handle: OpaquePointer, until end: ContinuousClock.Instant, _ name: String
    ) throws(StorageError) {
        while true {
            var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(truncatingIfNeeded: events), revents: 0)
            let left = end - .now
            if left <= .zero { throw StorageError(.timedOut, path: name) }
            guard descriptor.fd >= 0, !LibraryUse.isEnding else { throw StorageError(.unreachable, path: name) }
            let found = unsafe poll(&descriptor, 1, Int32(min(left, longestPoll) / .milliseconds(1)) + 1)
            if found > 0 { return }
            if found < 0 && errno != EINTR { throw StorageError(.unreachable, path: name) }
        }
    }
}
#endif
