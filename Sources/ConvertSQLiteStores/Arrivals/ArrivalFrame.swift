import ConvertConcurrency
import ConvertECMAScript
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

    /// Makes `frame` that of `count` rows, each of which `write` writes behind what is there.
    static func write(
        _ count: Int, from firstID: Int64, to frame: inout JSONBytes, _ write: (Int, inout JSONBytes) -> Void
    ) {
        let body = headerLength + count
        frame.removeAll()
        // The states are 1; all else is put in its place below.
        frame.append(repeating: 1, count: body + 4 * count)
        var start = frame.bytes.count
        for index in 0..<count {
            write(index, &frame)
            let end = frame.bytes.count
            frame.replaceBytes(at: body + 4 * index, with: UInt32(truncatingIfNeeded: end - start))
            start = end
        }
        frame.replaceBytes(at: 0, with: UInt32(truncatingIfNeeded: start - body))
        frame.replaceBytes(at: 8, with: firstID)
        frame.replaceBytes(at: 16, with: UInt32(truncatingIfNeeded: count))
        frame.replaceBytes(at: 4, with: checksum(of: frame.bytes, from: 0, body: body..<start))
    }

    /// The rows of the frames in `bytes`, up to the first one that is not whole. Zeros may follow them.
    /// - Returns: the rows, where the whole frames end, and whether what follows is something else than the beginning of a
    ///   step that was not finished.
    static func read(_ bytes: [UInt8]) -> (rows: [Row], end: Int, isDamaged: Bool) {
        var rows: [Row] = []
        var place = 0
        // What lies behind may be what a step that was not finished was to be written over.
        let written = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        while place < written {
            let left = bytes.count - place
            guard left >= headerLength else { return (rows, place, false) }
            let length = number(at: place, bytes)
            let count = number(at: place + 16, bytes)
            let firstID = number(at: place + 8, bytes, as: Int64.self)
            let last = rows.last?.id ?? 0
            // Of the ids all are taken, those beyond the range of `Numbering` too: their rows were acknowledged.
            guard count > 0, length <= longest, 4 * count <= length, firstID > last, firstID < .max - Int64(count)
            else { return (rows, place, place + headerLength <= written) }
            let body = place + headerLength + count
            guard 4 * count <= bytes.count - body else { return (rows, place, false) }
            let end = (0..<count).reduce(body + 4 * count) { $0 + number(at: body + 4 * $1, bytes) }
            // A length that was changed would pass for that of a step that was not finished.
            guard end == body + length else { return (rows, place, body + 4 * count <= written) }
            guard end <= bytes.count else { return (rows, place, false) }
            let sum = checksum(of: bytes, from: place, body: body..<end)
            let isWhole = sum == number(at: place + 4, bytes, as: UInt32.self)
            guard isWhole || PlantedFault.isPlanted("checksum-not-compared") else {
                return (rows, place, end <= written)
            }
            var start = body + 4 * count
            for index in 0..<count {
                let rowLength = number(at: body + 4 * index, bytes)
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

    /// Appends to `rows` those of a whole frame, if it lies at `place`.
    static func note(_ frame: [UInt8], at place: Int, in rows: inout [Row]) {
        let count = number(at: 16, frame)
        let firstID = number(at: 8, frame, as: Int64.self)
        var start = headerLength + 5 * count
        for index in 0..<count {
            let length = number(at: headerLength + count + 4 * index, frame)
            rows.append(
                Row(
                    id: firstID + Int64(index), statePlace: place + headerLength + index, place: place + start,
                    length: length))
            start += length
        }
    }

    private static func checksum(of bytes: [UInt8], from place: Int, body: Range<Int>) -> UInt32 {
        var hash = MurmurHash3(seed: 0)
        bytes[place + 8..<place + headerLength].withUnsafeBufferPointer { hash.combine($0) }
        bytes[body].withUnsafeBufferPointer { hash.combine($0) }
        return hash.finalize()
    }

    private static func number(at place: Int, _ bytes: [UInt8]) -> Int {
        Int(number(at: place, bytes, as: UInt32.self))
    }

    /// The number at `place`; the caller knows that it lies within `bytes`.
    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at place: Int, _ bytes: [UInt8], as type: Number.Type
    ) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: type)) }
    }
}
