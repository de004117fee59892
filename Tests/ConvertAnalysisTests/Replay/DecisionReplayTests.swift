import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertAnalysis

struct DecisionReplayTests {
    private func logged(_ line: String) throws -> LoggedDecisions {
        try Array(line.utf8).withElements { try LoggedDecisions(json: $0) }
    }

    @Test(arguments: PopulationAssignmentTests.configs, RuleSemantics.allCases)
    func aReplayGivesTheAssignedDecisions(file: String, semantics: RuleSemantics) throws {
        let config = try PopulationAssignmentTests.config(file)
        var options = PopulationAssignment.Options()
        options.semantics = semantics
        options.repeatsVisitors = true
        options.includesReasons = true
        options.includesFeatures = true
        let assignment = try PopulationAssignment(config, options: options)
        let replay = DecisionReplay(config, semantics: semantics)
        for visitor in PopulationAssignmentTests.visitors(caseCount(40, plain: 15), for: config, seed: 11) {
            let line = try logged(assignment.line(for: visitor))
            #expect(line.visitor == visitor)
            #expect(try replay.differences(from: line).isEmpty, "\(visitor.json)")
        }
    }

    @Test func aDifferentDecisionIsReportedWithItsReason() throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        let line = try logged(
            #"{"visitorId":"visitor-2","decisions":{"new-navigation":"mega-menu","gone":"a","christmas-2023":null}}"#)
        let differences = try DecisionReplay(config).differences(from: line)
        #expect(differences.map(\.subject) == [.experience("new-navigation"), .experience("gone")])
        #expect(differences.first?.found == "classic")
        #expect(
            differences.last?.json
                == #"{"visitorId":"visitor-2","experience":"gone","logged":"a","found":null,"#
                + #""reason":"unknownExperience"}"#
        )
    }

    static let refused: [(json: String, description: String)] = [
        (
            #"{"visitorId":"v"}"#,
            "$.decisions: it is missing; write the log with 'assign --echo', or with an SDK's decision log."
        ),
        (
            #"{"visitorId":"v","decisions":{"a":1}}"#,
            "$.decisions: expected an object of variations by experience, each a text or null."
        ),
        (
            #"{"visitorId":"v","decision":{}}"#,
            "$: unknown member 'decision'; put properties of the visitor into 'attributes'."
        ),
    ]

    @Test(arguments: refused)
    func aLineThatIsNotOfALogIsRefusedWithItsPlace(json: String, description: String) {
        let error = #expect(throws: PopulationVisitorError.self) { try logged(json) }
        #expect(error?.description == description)
    }

    @Test func aLogIsReplayedInOrderOnAnyThreads() async throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        let lines = (0..<3000).map { index in
            index % 100 == 99
                ? "oops" : #"{"visitorId":"v\#(index)","decisions":{"gone":\#(index % 10 == 0 ? #""a""# : "null")}}"#
        }
        let input = Array(lines.joined(separator: "\n").utf8)
        for threads in [1, 3] {
            let (output, tally) = try await aside {
                let output = Mutex<[UInt8]>([])
                let tally = try DecisionReplay(config).run(
                    threads: threads, read: InputInPieces(input, mostBytes: 7_000).read,
                    write: { bytes in output.withLock { $0 += bytes } })
                return (String(decoding: output.withLock { $0 }, as: UTF8.self), tally)
            }
            let visitors = try output.split(separator: "\n").map { line in
                try #require(JSValue(json: Data(line.utf8)).objectValue?["visitorId"]?.stringValue)
            }
            #expect(visitors == stride(from: 0, to: 3000, by: 10).map { "v\($0)" })
            #expect(tally.differenceCount == 300 && tally.decisionCount == 2970)
            #expect(tally.lines.recordCount == 3000 && tally.lines.errorCount == 30)
            #expect(tally.lines.firstErrors.map(\.record) == (1...10).map { $0 * 100 })
        }
    }
}
