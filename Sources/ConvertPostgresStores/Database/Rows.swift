#if Postgres
import CConvertPostgres
import Foundation

/// The result of a statement, in PostgreSQL's binary format.
///
/// Owns libpq's result. No other type accesses that memory: values are copied out of it.
@safe
final class Rows {
    private let result: OpaquePointer

    /// Takes ownership of `result`. Returns `nil` for a null pointer.
    init?(_ result: OpaquePointer?) {
        guard let result = unsafe result else { return nil }
        unsafe self.result = unsafe result
    }

    deinit { unsafe PQclear(result) }

    /// The status of the result.
    var status: ExecStatusType { unsafe PQresultStatus(result) }

    /// The SQLSTATE of an error; `nil` if libpq itself made the result, because the connection is lost.
    var sqlState: String? {
        unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { unsafe String(cString: $0) }
    }

    /// Number of rows.
    var count: Int { unsafe Int(PQntuples(result)) }

    /// The integer in a column of 2, 4 or 8 bytes; 0 or 1 for a Boolean; 0 for NULL.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        let bytes = data(row, column)
        guard let first = bytes.first, bytes.count <= 8 else { return 0 }
        // The first bit is the sign. A Boolean never has it set.
        return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    /// Whether a column is NULL.
    func isNull(_ row: Int, _ column: Int32) -> Bool { unsafe PQgetisnull(result, Int32(row), column) != 0 }

    /// The text in a column; empty for NULL.
    func text(_ row: Int, _ column: Int32) -> String { String(decoding: data(row, column), as: UTF8.self) }

    /// The bytes in a column; empty for NULL.
    func data(_ row: Int, _ column: Int32) -> Data {
        guard let bytes = unsafe PQgetvalue(result, Int32(row), column) else { return Data() }
        return unsafe Data(bytes: bytes, count: Int(PQgetlength(result, Int32(row), column)))
    }
}
#endif
