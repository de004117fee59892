import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct SegmentWritesTests {
    @Test func mergingWritesAheadComesToMergingEachOverARecord() {
        var mostRounds = 0
        for seed in 0..<caseCount(2_000, plain: 700) {
            var random = SeededGenerator(seed: seed)
            let record = random.happens(30) ? JSObject() : randomSegments(&random)
            let all = (0..<random.int(1...6)).map { _ in randomSegments(&random, objects: true) }
            var writes = SegmentWrites(all[0])
            for write in all.dropFirst() { writes.append(write) }
            mostRounds = max(mostRounds, writes.rounds.count)
            let expected = all.reduce(record) { $0.deepMerging($1) }
            #expect(writes.rounds.reduce(record) { $0.deepMerging($1) } == expected, "seed \(seed)")
            #expect(writes.merged == all.dropFirst().reduce(all[0]) { $0.deepMerging($1) }, "seed \(seed)")
        }
        #expect(mostRounds > 2)
    }

    @Test func changesMayBeMergedWithEachOtherFirst() {
        for seed in 0..<caseCount(1_000, plain: 400) {
            var random = SeededGenerator(seed: seed)
            let states = (0..<4).map { _ in
                var state = VisitorState()
                for _ in 0..<random.int(0...2) { state.apply(.segments(randomSegments(&random))) }
                return state
            }
            let oneByOne = states.reduce(VisitorState()) { $0.merging($1) }
            let together = states[0].merging(states[1].merging(states[2].merging(states[3])))
            let inPairs = states[0].merging(states[1]).merging(states[2].merging(states[3]))
            #expect(together == oneByOne && inPairs == oneByOne, "seed \(seed)")
        }
    }

    @Test func theNumberOfRoundsIsBounded() {
        var writes = SegmentWrites(["country": [1]])
        for index in 2...SegmentWrites.roundLimit {
            writes.append(["country": index % 2 == 0 ? ["k": .integer(index)] : [.integer(index)]])
            #expect(writes.rounds.count == index)
        }
        writes.append(["country": [0]])
        writes.append(["country": ["k": 0]])
        #expect(writes.rounds.count == SegmentWrites.roundLimit)
    }

    @Test func aTextLeavesNothingOfWhatWasWrittenBefore() {
        var writes = SegmentWrites(["country": "a", "source": "a"])
        for value in [["b"], "c", ["d"], "e"] as [JSValue] { writes.append(["country": value]) }
        #expect(writes.rounds == [["country": "e", "source": "a"]])
    }
}

/// - Parameter objects: whether some are objects. Over one that is stored, lists are united that a later list replaces.
private func randomSegments(_ random: inout SeededGenerator, objects: Bool = false) -> JSObject {
    func list() -> JSValue { .array(random.list(upTo: 3) { $0.pick(["a", "b", "c", 1]) }) }
    var segments = JSObject()
    for name in ["country", "source"] where random.happens(70) {
        segments[name] = random.happens(40) ? random.pick(["a", "b", .null, 1] as [JSValue]) : list()
        if objects, random.happens(15) { segments[name] = ["k": random.happens(50) ? "a" : list()] }
    }
    return segments
}
