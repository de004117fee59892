import CConvertSQLite
import Foundation

/// A prepared statement. Each use binds its values, runs it and resets it.
///
/// All unsafe calls about values are in this file. They are safe for three reasons: the connection finalizes the
/// statement in its own `deinit`; one thread at a time uses the connection; and memory that SQLite returns is copied
/// before the next call on the statement.
@safe
struct Statement {
    @safe
    struct Handle { let pointer: OpaquePointer }

    /// A value to bind.
    enum Value {
        case integer(Int64)
        case data(Data)
    }

    /// The current row of a statement. It is valid only within the closure that receives it.
    @safe
    struct Row {
        fileprivate let pointer: OpaquePointer

        /// The integer in a column; 0 for NULL.
        func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

        /// Whether a column is NULL.
        func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

        /// The text in a column; empty for NULL.
        func text(_ column: Int32) -> String { String(decoding: data(column), as: UTF8.self) }

        /// The bytes in a column; empty for NULL.
        func data(_ column: Int32) -> Data {
            // SQLite requires the pointer to be read before the length. The pointer is null for zero bytes.
            guard let bytes = unsafe sqlite3_column_blob(pointer, column) else { return Data() }
            return unsafe Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, column)))
        }
    }

    private let pointer: OpaquePointer
    private let connection: Connection

    init(_ handle: Handle, connection: Connection) {
        unsafe pointer = unsafe handle.pointer
        self.connection = connection
    }

    /// Runs the statement with `values` as its parameters, and calls `body` with each row.
    func forEach(_ values: Value..., body: (Row) throws -> Void) throws { try run(values, body) }

    /// Runs the statement with `values` as its parameters.
    func run(_ values: Value...) throws { try run(values) { _ in } }

    /// Runs the statement, and returns the result of `body` for the first row; `nil` if there are no rows.
    func first<Result>(_ values: Value..., body: (Row) throws -> Result) throws -> Result? {
        var result: Result?
        try run(values) { row in if result == nil { result = try body(row) } }
        return result
    }

    private func run(_ values: [Value], _ body: (Row) throws -> Void) throws {
        defer {
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            let status = unsafe sqlite3_step(pointer)
            switch status {
            case SQLITE_ROW: try unsafe body(Row(pointer: pointer))
            case SQLITE_DONE: return
            default: throw connection.error(status)
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) throws(StorageError) {
        let status: Int32 =
            switch value {
            case .integer(let integer): unsafe sqlite3_bind_int64(pointer, index, integer)
            case .data(let data) where data.isEmpty: unsafe sqlite3_bind_zeroblob(pointer, index, 0)
            case .data(let data):
                unsafe data.withUnsafeBytes { bytes in
                    // SQLITE_TRANSIENT is defined as the pointer -1, which is never called: SQLite copies the bytes
                    // before it returns.
                    let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                    return unsafe sqlite3_bind_blob64(pointer, index, bytes.baseAddress, UInt64(bytes.count), transient)
                }
            }
        guard status == SQLITE_OK else { throw connection.error(status) }
    }
}
