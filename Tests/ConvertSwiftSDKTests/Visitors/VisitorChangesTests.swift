import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct VisitorChangesTests {
    private func state(_ json: String) throws -> VisitorState { try VisitorState(json: Data(json.utf8)) }

    @Test func aStoredDecisionStaysUnlessItWasKnown() throws {
        let changes = VisitorChanges(
            try state(#"{"bucketing":{"1":"a","2":"b","3":"c"},"goals":{"g":true}}"#),
            replaced: ["2": "x", "3": "y"])
        let stored = try state(#"{"bucketing":{"1":"z","2":"x","3":"x"}}"#)
        #expect(
            changes.merged(over: stored) == (try state(#"{"bucketing":{"1":"z","2":"b","3":"x"},"goals":{"g":true}}"#)))
        #expect(changes.merged(over: VisitorState()) == changes.changes)
    }

    @Test func mergingTwiceIsMergingOnce() throws {
        for seed in 0..<caseCount(300) {
            var random = SeededGenerator(seed: seed)
            func variation() -> JSValue { .string("\(random.int(0...2))") }
            func changes() throws -> VisitorChanges {
                let experience = random.int(0...2)
                let changes = try state(
                    #"{"bucketing":{"\#(experience)":"\#(random.int(0...2))"},"locations":["\#(random.int(0...1))"]}"#)
                return VisitorChanges(changes, replaced: ["0": variation(), "1": variation()])
            }
            let changed = try changes()
            let once = changed.merged(over: try changes().changes)
            #expect(changed.merged(over: once) == once, "seed \(seed)")
        }
    }
}
