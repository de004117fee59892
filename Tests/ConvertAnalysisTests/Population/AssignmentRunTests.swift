import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertAnalysis

struct AssignmentRunTests {
    private struct Stopped: Error {}

    private func run(
        _ input: [UInt8], _ format: PopulationFormat = .jsonLines, threads: Int = 2, upTo most: Int = 1 << 18,
        by assignment: PopulationAssignment
    ) async throws -> (output: String, tally: RecordTally) {
        try await aside {
            let output = Mutex<[UInt8]>([])
            let tally = try assignment.run(
                format, threads: threads, read: InputInPieces(input, mostBytes: most).read,
                write: { bytes in output.withLock { $0 += bytes } })
            return (String(decoding: output.withLock { $0 }, as: UTF8.self), tally)
        }
    }

    private func demo() throws -> PopulationAssignment {
        try PopulationAssignment(PopulationAssignmentTests.config("configs/demo-shop.json"))
    }

    @Test func theOutputDoesNotDependOnThreadsOrPieces() async throws {
        let assignment = try demo()
        let visitors = PopulationAssignmentTests.visitors(
            inputSize(2000, plain: 500), for: assignment.project.config, seed: 3)
        var input: [UInt8] = []
        var expected = ""
        var errors = 0
        for (index, visitor) in visitors.enumerated() {
            if index % 17 == 16 {
                input += Array("{oops\n".utf8)
                expected +=
                    #"{"error":"$: not valid JSON at column 2: expected a member's name in double quotes or '}'."}"#
                    + "\n"
                errors += 1
            } else {
                input += Array((visitor.json + "\n").utf8)
                expected += assignment.line(for: visitor) + "\n"
            }
        }
        for (threads, most) in [(1, 1 << 18), (2, 1000), (3, 77), (8, 5000)] {
            let run = try await run(input, threads: threads, upTo: most, by: assignment)
            #expect(run.output == expected, "\(threads) threads, pieces of \(most)")
            #expect(run.tally.recordCount == visitors.count && run.tally.errorCount == errors)
            #expect(run.tally.firstErrors.map(\.record) == (1...10).map { $0 * 17 })
        }
    }

    @Test func everyRecordThatIsNotBlankHasALine() async throws {
        let long =
            #"{"visitorId":"v","attributes":{"a":""# + String(repeating: "x", count: PopulationFormat.recordLimit)
        let lines: [[UInt8]] = [
            Array(#"{"visitorId":"visitor-2"}"#.utf8), [], Array("\r".utf8), [0xff, 0x00, 0x80], Array(long.utf8),
            Array(#"{"visitorId":"visitor-2"}"#.utf8), Array("[1]".utf8), Array(#"{"visitorId":"visitor-2"#.utf8),
        ]
        let run = try await run(Array(lines.joined(separator: [UInt8(ascii: "\n")])), by: demo())
        let output = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(output.map { $0.contains(#"{"error":"#) } == [false, true, true, false, true, true])
        #expect(run.tally.errorCount == 4 && run.tally.firstErrors.map(\.record) == [4, 5, 7, 8])
        #expect(output.first == output.dropFirst(3).first)
        #expect(output.dropFirst(2).first == #"{"error":"$: it is too large: at most 1048576 bytes are read."}"#)
    }

    @Test func csvIsAssignedAsTheSameVisitorsInJSON() async throws {
        let csv =
            "visitorId,plan,locationProperties.path,note\r\nvisitor-2,insider,/checkout,\"a,\"\"b\"\"\nc\"\nv,,,\nbad\n"
        let assignment = try demo()
        let run = try await run(Array(csv.utf8), .csv, upTo: 5, by: assignment)
        let first = PopulationVisitor(
            visitorID: "visitor-2", attributes: ["plan": "insider", "note": "a,\"b\"\nc"],
            locationProperties: ["path": "/checkout"])
        #expect(
            run.output == assignment.line(for: first) + "\n" + assignment.line(for: PopulationVisitor(visitorID: "v"))
                + "\n" + #"{"error":"$: expected 4 cells, as in the first record; found 1."}"# + "\n")
        #expect(run.tally.firstErrors.map(\.record) == [3])
    }

    @Test func csvWithoutColumnsIsRefused() async throws {
        let assignment = try demo()
        await #expect(throws: PopulationVisitorError.self) { try await run([], .csv, by: assignment) }
        await #expect(throws: PopulationVisitorError.self) { try await run(Array("a\nb\n".utf8), .csv, by: assignment) }
    }

    @Test func nothingIsWrittenBehindAFailure() async throws {
        let assignment = try demo()
        let line = Array((PopulationVisitor(visitorID: "v").json + "\n").utf8)
        let writeCount = Mutex(0)
        await #expect(throws: Stopped.self) {
            try await aside {
                try assignment.run(
                    .jsonLines, threads: 4,
                    read: { buffer in
                        buffer.copyBytes(from: line)
                        return line.count
                    },
                    write: { _ in
                        try writeCount.withLock { count in
                            count += 1
                            if count == 3 { throw Stopped() }
                        }
                    })
            }
        }
        #expect(writeCount.withLock { $0 } == 3)
    }

    @Test func aReaderThatStopsHasWholeLines() async throws {
        let assignment = try demo()
        let line = Array((PopulationVisitor(visitorID: "visitor-1").json + "\n").utf8)
        let output = try await aside {
            let readCount = Mutex(0)
            let output = Mutex<[UInt8]>([])
            let tally = try assignment.run(
                .jsonLines, threads: 2,
                read: { buffer in
                    let count = readCount.withLock { count in
                        count += 1
                        return count
                    }
                    if count > 5 { return nil }
                    // The last piece ends within a line.
                    let bytes = count == 5 ? line + line.prefix(9) : line
                    buffer.copyBytes(from: bytes)
                    return bytes.count
                }, write: { bytes in output.withLock { $0 += bytes } })
            #expect(tally == RecordTally(recordCount: 5))
            return output.withLock { $0 }
        }
        let expected = assignment.line(for: PopulationVisitor(visitorID: "visitor-1")) + "\n"
        #expect(String(decoding: output, as: UTF8.self) == String(repeating: expected, count: 5))
    }
}
