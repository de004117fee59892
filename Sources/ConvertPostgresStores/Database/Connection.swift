#if Postgres
import CConvertPostgres
import ConvertConcurrency
import Foundation

/// One connection to a database server.
///
/// It has one owner, which uses it from one thread at a time; it has no lock. Its calls block the caller's thread until
/// the server has answered. An ``Alarm`` limits their time. Only the system's look-up of a host name, while connecting,
/// has no limit. After a call that did not complete, the connection is unusable: see ``isLost``.
@safe
final class Connection {
    /// The database's name in errors.
    let name: String

    // Open from `init` to `deinit`.
    private let handle: OpaquePointer
    private let alarm: Alarm
    /// The statements that the server has prepared, by the addresses of their literals.
    private var prepared: Set<UInt> = []
    private var isGivenUp = false

    /// Whether libpq can be called. It cannot if the process was ending before the first call.
    private static let isInitialized = LibraryUse.initialize(nil) {} != nil
    /// The interval at which a connecting thread checks whether the process is ending.
    private static let longestPoll = Duration.milliseconds(100)

    /// Whether the connection is unusable.
    var isLost: Bool { unsafe isGivenUp || PQstatus(handle) != CONNECTION_OK }

    /// Connects.
    /// - Parameter turn: the index of the host to try first, if the address has several.
    /// - Throws: `StorageError`, such as `unreachable`, `timedOut` or `refused`.
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

    /// Runs `commands` in order without waiting for the server between them, and returns the rows of each.
    ///
    /// Unless they begin or end a transaction themselves, they are one transaction: if one fails, none has an effect.
    func run(_ commands: [Command]) throws(StorageError) -> [Rows] {
        try inTime { () throws(StorageError) in try pipeline(commands) }
    }

    /// Runs statements that have no parameters and return no rows, in one transaction unless they control it
    /// themselves.
    func execute(_ sql: String) throws(StorageError) {
        try inTime { () throws(StorageError) in
            guard let result = unsafe Rows(PQexec(handle, sql)) else { throw lost() }
            if let error = error(of: result) { throw error }
        }
    }

    /// Runs `body` within the time limit. If `body` exceeds the limit, the connection becomes unusable.
    private func inTime<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        guard let use = LibraryUse.begin(stop: { [alarm] in alarm.ring() }) else { throw lost() }
        defer { LibraryUse.end(use) }
        do {
            alarm.start()
            defer { alarm.stop() }
            return try body()
        } catch {
            // The rest of an answer that was not read would be taken for the next answer.
            if error.code == .timedOut || error.code == .unreachable { isGivenUp = true }
            throw error.code == .unreachable && alarm.hasRung ? StorageError(.timedOut, path: name) : error
        }
    }

    /// Runs `body` in a transaction. Commits it, or rolls it back if `body` or the commit fails.
    ///
    /// - Parameters:
    ///   - commands: sent together with `BEGIN`; `body` receives their rows.
    ///   - body: returns the commands to send together with `COMMIT`, and the result.
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

    private func pipeline(_ commands: [Command]) throws(StorageError) -> [Rows] {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        defer { unsafe PQexitPipelineMode(handle) }
        // For each expected answer, the statement that is prepared; `nil` for rows.
        var answers: [UInt?] = []
        var announced: Set<UInt> = []
        for command in commands {
            // The literal of a single character has no pointer.
            guard command.sql.hasPointerRepresentation else { throw lost() }
            let place = unsafe UInt(bitPattern: command.sql.utf8Start)
            let name = "s\(place)"
            if !prepared.contains(place), announced.insert(place).inserted {
                let types = command.values.map(\.type)
                guard unsafe PQsendPrepare(handle, name, command.sql.description, Int32(types.count), types) == 1 else {
                    throw lost()
                }
                answers.append(place)
            }
            try send(command, name)
            answers.append(nil)
        }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
        return try collect(answers)
    }

    private func send(_ command: Command, _ name: String) throws(StorageError) {
        let values = command.values.map(\.bytes)
        // libpq copies the values during the call, from pointers into one array that lives until it returns. An extra
        // byte at its end gives an empty value an address: a null pointer would mean NULL.
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

    /// Reads all answers. After a failure, reads on to the end of the pipeline.
    private func collect(_ answers: [UInt?]) throws(StorageError) -> [Rows] {
        var rows: [Rows] = []
        var failure: StorageError?
        for preparation in answers {
            while let result = unsafe Rows(PQgetResult(handle)) {
                failure = failure ?? error(of: result)
                if isLost { throw failure ?? lost() }
                guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(result.status) else { continue }
                if let preparation { prepared.insert(preparation) } else { rows.append(result) }
            }
        }
        // The end of the pipeline is a result of its own. Without an explicit transaction, the commit happens there and
        // may fail before it.
        while let result = unsafe Rows(PQgetResult(handle)) {
            failure = failure ?? error(of: result)
            if result.status != PGRES_PIPELINE_SYNC { continue }
            if let failure { throw failure }
            guard rows.count == answers.count(where: { $0 == nil }) else { break }
            return rows
        }
        isGivenUp = true
        throw failure ?? lost()
    }

    private func lost() -> StorageError {
        isGivenUp = true
        return StorageError(.unreachable, path: name)
    }

    /// The error that `result` reports; `nil` if it reports none.
    private func error(of result: Rows) -> StorageError? {
        if result.status != PGRES_FATAL_ERROR { return nil }
        guard let code = result.sqlState else { return lost() }
        // A pooler in between has reset the session: the prepared statements and the search path no longer exist.
        return code == "26000" ? lost() : StorageError(sqlState: code, path: name)
    }

    /// The error of a failed connection attempt. There is no result to read a code from; the code is the message's last
    /// word.
    private static func connectError(of handle: OpaquePointer, _ name: String) -> StorageError {
        let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        let word = message.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        let isCode = word.utf8.count == 5 && word.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        // Without a password libpq gives up by itself, without a code.
        guard isCode else {
            return unsafe StorageError(PQconnectionNeedsPassword(handle) == 1 ? .refused : .unreachable, path: name)
        }
        let error = StorageError(sqlState: word, path: name)
        // `CONNECT` on the database is the only right that connecting needs.
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
            // Only the codes of errors are read: their texts may contain visitor data.
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
