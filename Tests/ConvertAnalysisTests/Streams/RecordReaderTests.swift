import ConvertConcurrency
import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertAnalysis

struct RecordReaderTests {
    /// The records that come out of `bytes`, read in pieces of random lengths.
    private func records(
        of bytes: [UInt8], _ framing: RecordFraming, _ random: inout SeededGenerator, upTo most: Int
    ) throws -> [String?] {
        let stream = Mutex((rest: bytes[...], random: random))
        defer { random = stream.withLock { $0.random } }
        var reader = RecordReader(framing) { buffer in
            stream.withLock { stream in
                let count = min(stream.rest.count, buffer.count, stream.random.int(1...most))
                buffer.copyBytes(from: stream.rest.prefix(count))
                stream.rest = stream.rest.dropFirst(count)
                return count
            }
        }
        var records: [String?] = []
        while let part = try reader.next() {
            switch part {
            case .tooLong: records.append(nil)
            case .records(let bytes):
                bytes.withElements { bytes in
                    for record in Records(of: bytes, framing) {
                        records.append(String(decoding: record, as: UTF8.self))
                    }
                }
            }
        }
        return records
    }

    @Test func linesAreTheSameHoweverTheyCome() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<caseCount(300) {
            let lines = random.list(upTo: 20) { $0.text(of: "ab\"\r,", 0...9) }
            let isTerminated = random.happens(50)
            let text = lines.joined(separator: "\n") + (isTerminated && !lines.isEmpty ? "\n" : "")
            var expected = lines.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
            if !isTerminated, lines.last == "" { expected.removeLast() }
            let found = try records(of: Array(text.utf8), .jsonLines, &random, upTo: 7)
            #expect(found == expected.map(Optional.some), "\(text.debugDescription)")
        }
    }

    @Test func recordsOfCSVAreTheSameHoweverTheyCome() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<caseCount(300) {
            let records = random.list(upTo: 12) { random in
                random.list(upTo: 4) { random in
                    random.happens(50)
                        ? random.text(of: "ab c", 0...5)
                        : "\"" + random.text(of: "a,\n\r\"", 0...6).replacingOccurrences(of: "\"", with: "\"\"") + "\""
                }.joined(separator: ",") + "x"
            }
            // A cell that ends with a quote and an x is not CSV, but its end is where it is.
            let text = records.map { $0 + "\n" }.joined()
            let whole = try self.records(of: Array(text.utf8), .csv(CSVDialect()), &random, upTo: 1000)
            #expect(try self.records(of: Array(text.utf8), .csv(CSVDialect()), &random, upTo: 3) == whole)
        }
    }

    @Test func lineBreaksInQuotesBelongToTheCell() throws {
        var random = SeededGenerator(seed: 3)
        let text = "a,\"x\r\ny\"\r\n\"1\"\"\n\",2\nlast,\"open\n,3\n"
        #expect(
            try records(of: Array(text.utf8), .csv(CSVDialect()), &random, upTo: 2)
                == ["a,\"x\r\ny\"", "\"1\"\"\n\",2", "last,\"open\n,3\n"])
    }

    /// What stands behind a quote that closes a cell does not open it again.
    @Test func aQuoteBehindACarriageReturnOpensNoCell() throws {
        var random = SeededGenerator(seed: 5)
        let text = "v,\"1\"\r\"2\nw,3\n"
        #expect(try records(of: Array(text.utf8), .csv(CSVDialect()), &random, upTo: 2) == ["v,\"1\"\r\"2", "w,3"])
    }

    @Test(arguments: [1, 2, 1_000])
    func aByteOrderMarkMayComeBeforeAQuote(pieceLength: Int) throws {
        let rest = Mutex(Array("\u{feff}\"a\nb\",\"visitorId\"\n1,v\n2,w\n".utf8)[...])
        let stream = try RecordStream(.csv) { buffer in
            rest.withLock { rest in
                let count = min(rest.count, buffer.count, pieceLength)
                buffer.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }
        }
        var reader = VisitorReader(stream.syntax)
        var visitors: [PopulationVisitor] = []
        while let part = try stream.next() {
            reader.forEachVisitor(of: part) { if case .visitor(let visitor) = $0 { visitors.append(visitor) } }
        }
        #expect(visitors.map(\.visitorID) == ["v", "w"])
        #expect(visitors.first?.attributes == ["a\nb": "1"])
    }

    @Test(arguments: ["\n", "\r", "\r\n"], [1, 2, 3, 1_000])
    func theFirstRecordTellsHowRecordsEnd(end: String, pieceLength: Int) throws {
        let text = ["visitorId;a", "v;1", "\"w\";\"x\(end);\"", "y;"].joined(separator: end)
        let rest = Mutex(Array(text.utf8)[...])
        let stream = try RecordStream(.csv) { buffer in
            rest.withLock { rest in
                let count = min(rest.count, buffer.count, pieceLength)
                buffer.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }
        }
        var reader = VisitorReader(stream.syntax)
        var visitors: [PopulationVisitor] = []
        while let part = try stream.next() {
            reader.forEachVisitor(of: part) { if case .visitor(let visitor) = $0 { visitors.append(visitor) } }
        }
        #expect(visitors.map(\.visitorID) == ["v", "w", "y"])
        #expect(visitors.map(\.attributes) == [["a": "1"], ["a": .string("x\(end);")], [:]])
    }

    @Test func aLineBeyondTheLimitIsPassedOverInItsPlace() throws {
        var random = SeededGenerator(seed: 4)
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: PopulationFormat.recordLimit + (1 << 19))
        let newline = UInt8(ascii: "\n")
        let bytes = Array("a\n".utf8) + long + [newline] + Array("b\n".utf8) + long + [newline] + Array("c".utf8)
        let found = try records(of: bytes, .jsonLines, &random, upTo: 1 << 18)
        #expect(found == ["a", nil, "b", nil, "c"])
        #expect(try records(of: long, .jsonLines, &random, upTo: 1 << 18) == [nil])
    }
}
