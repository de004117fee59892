#if Postgres
import Foundation

/// A statement and the values of its parameters.
///
/// The statement is a literal, and is prepared once per connection. Everything that varies is a parameter.
struct Command: Sendable {
    let sql: StaticString
    let values: [Value]

    init(_ sql: StaticString, _ values: Value...) {
        self.sql = sql
        self.values = values
    }

    static let begin = Command("BEGIN ISOLATION LEVEL READ COMMITTED")
    static let commit = Command("COMMIT")

    /// A value to bind, in PostgreSQL's binary format.
    enum Value: Sendable {
        case integer(Int64)
        case data(Data)
        case text(String)
        case integers([Int64])
        case datas([Data])

        /// The type's OID in PostgreSQL's catalog.
        var type: UInt32 {
            switch self {
            case .integer: 20
            case .data: 17
            case .text: 25
            case .integers: 1016
            case .datas: 1001
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .integer(let integer): Self.bytes(of: integer)
            case .data(let data): Array(data)
            case .text(let text): Array(text.utf8)
            case .integers(let integers): Self.array(integers.map { Self.bytes(of: $0) }, of: 20)
            case .datas(let datas): Self.array(datas.map { Array($0) }, of: 17)
            }
        }

        /// The header has the number of dimensions, a flag for NULLs and the elements' type, then the number of
        /// elements and the first index. Each element follows its length.
        private static func array(_ elements: [[UInt8]], of type: UInt32) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(20 + elements.reduce(0) { $0 + $1.count + 4 })
            if elements.isEmpty {
                for number in [0, 0, Int32(bitPattern: type)] { bytes += Self.bytes(of: number) }
                return bytes
            }
            for number in [1, 0, Int32(bitPattern: type), Int32(clamping: elements.count), 1] {
                bytes += Self.bytes(of: number)
            }
            for element in elements {
                bytes += Self.bytes(of: Int32(clamping: element.count))
                bytes += element
            }
            return bytes
        }

        private static func bytes(of integer: some FixedWidthInteger) -> [UInt8] {
            // Safe: the bytes are copied before the closure returns.
            unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe Array($0) }
        }
    }
}
#endif
