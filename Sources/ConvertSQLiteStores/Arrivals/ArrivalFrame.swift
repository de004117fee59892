import ConvertSwiftSDKCore
import Foundation

/// The bytes of one step: rows that were appended together, all of which are there or none.
///
///     4  length of what follows the states        all numbers little-endian
///     4  checksum of everything but length, itself and states
///     8  id of the first row; the others' ids follow it
///     4  number of rows
///     1  for each row: 1, or 0 once it is gone    the only bytes that change
///     4  for each row: its length
///     …  the rows
enum ArrivalFrame {
    private static let headerLength = 20
    /// No step is longer.
    static let longest = 1 << 29

    /// Where a row lies in its file.
    struct Row: Sendable {
        let id: Int64
        let statePlace: Int
        let place: Int
        let length: Int
        var isGone = false
    }

    /// Makes `bytes` the frame of `records`.
    static func write(_ records: [Data], from firstID: Int64, to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        append(UInt64(0), &bytes)
        append(UInt64(bitPattern: firstID), &bytes)
        append(UInt32(truncatingIfNeeded: records.count), &bytes)
        for _ in records { bytes.append(1) }
        let start = bytes.count
        for index in records.indices { append(UInt32(truncatingIfNeeded: records[index].count), &bytes) }
        for index in records.indices { records[index].withUnsafeBytes { bytes.append(contentsOf: $0) } }
        let sum = checksum(of: bytes, from: 0, body: start..<bytes.count)
        put(UInt32(truncatingIfNeeded: bytes.count - start), at: 0, &bytes)
        put(sum, at: 4, &bytes)
    }

    /// The rows of the frames in `bytes`, up to the first one that is not whole.
    /// - Returns: the rows, where the whole frames end, and whether what follows is something else than the beginning of a
    ///   step that was not finished.
    static func read(_ bytes: [UInt8]) -> (rows: [Row], end: Int, isDamaged: Bool) {
        var rows: [Row] = []
        var place = 0
        while place < bytes.count {
            let left = bytes.count - place
            guard left >= headerLength else { return (rows, place, false) }
            let length = Int(number(4, at: place, bytes))
            let count = Int(number(4, at: place + 16, bytes))
            let firstID = Int64(bitPattern: number(8, at: place + 8, bytes))
            let last = rows.last?.id ?? 0
            // Of the ids all are taken, those beyond the range of `Numbering` too: their rows were acknowledged.
            guard count > 0, length <= longest, 4 * count <= length, firstID > last, firstID < .max - Int64(count)
            else { return (rows, place, true) }
            let body = place + headerLength + count
            guard 4 * count <= bytes.count - body else { return (rows, place, false) }
            let end = (0..<count).reduce(body + 4 * count) { $0 + Int(number(4, at: body + 4 * $1, bytes)) }
            // A length that was changed would pass for that of a step that was not finished.
            guard end == body + length else { return (rows, place, true) }
            guard end <= bytes.count else { return (rows, place, false) }
            let sum = checksum(of: bytes, from: place, body: body..<end)
            guard sum == UInt32(number(4, at: place + 4, bytes)) else { return (rows, place, true) }
            var start = body + 4 * count
            for index in 0..<count {
                let rowLength = Int(number(4, at: body + 4 * index, bytes))
                let statePlace = place + headerLength + index
                rows.append(
                    Row(
                        id: firstID + Int64(index), statePlace: statePlace, place: start, length: rowLength,
                        isGone: bytes[statePlace] == 0))
                start += rowLength
            }
            place = end
        }
        return (rows, place, false)
    }

    /// Appends to `rows` those of a frame that was just made, if it lies at `place`.
    static func note(_ records: [Data], from firstID: Int64, at place: Int, in rows: inout [Row]) {
        var start = place + headerLength + 5 * records.count
        for index in records.indices {
            let id = firstID + Int64(index)
            let statePlace = place + headerLength + index
            rows.append(Row(id: id, statePlace: statePlace, place: start, length: records[index].count))
            start += records[index].count
        }
    }

    private static func checksum(of bytes: [UInt8], from place: Int, body: Range<Int>) -> UInt32 {
        var hash = MurmurHash3(seed: 0)
        bytes[place + 8..<place + headerLength].withUnsafeBufferPointer { hash.combine($0) }
        bytes[body].withUnsafeBufferPointer { hash.combine($0) }
        return hash.finalize()
    }

    private static func append(_ number: some FixedWidthInteger, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func put(_ number: UInt32, at place: Int, _ bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    private static func number(_ length: Int, at place: Int, _ bytes: [UInt8]) -> UInt64 {
        (0..<length).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * $1) }
    }
}
