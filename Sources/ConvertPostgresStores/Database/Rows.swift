#if Postgres
import CConvertPostgres
import Foundation

/// What a statement returned, in PostgreSQL's binary format.
///
/// It owns libpq's result. No other type sees that memory: values are copied out of it.
@safe
final class Rows {
    private let result: OpaquePointer?

    /// Takes over `result`.
    init(_ result: OpaquePointer?) { unsafe self.result = unsafe result }

    deinit { unsafe PQclear(result) }

    /// Number of rows.
    var count: Int { unsafe Int(PQntuples(result)) }

    /// The integer in a column of 2, 4 or 8 bytes, or 0 or 1 for a truth value; 0 for NULL.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        let bytes = data(row, column)
        guard let first = bytes.first, bytes.count <= 8 else { return 0 }
        // The first bit is the sign; a truth value has none that is set.
        return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    /// Whether a column is NULL.
    func isNull(_ row: Int, _ column: Int32) -> Bool { unsafe PQgetisnull(result, Int32(row), column) != 0 }

    /// The text in a column; none for NULL.
    func text(_ row: Int, _ column: Int32) -> String { String(decoding: data(row, column), as: UTF8.self) }

    /// The bytes in a column; none for NULL.
    func data(_ row: Int, _ column: Int32) -> Data {
        guard let bytes = unsafe PQgetvalue(result, Int32(row), column) else { return Data() }
        return unsafe Data(bytes: bytes, count: Int(PQgetlength(result, Int32(row), column)))
    }
}
#endif
