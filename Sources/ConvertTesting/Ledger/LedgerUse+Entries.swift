import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks of entries.
extension LedgerUse {
    func checkFirstEntry() async throws {
        try await expect("v", nil)
        let events = events(1...2, reporting: .decision(experience: "1"))
        try await commit(
            entry("v", decisions: ["1": "2"], events: events), expecting: outcome(#"{"bucketing":{"1":"2"}}"#),
            "a first decision")
        try await expect("v", #"{"bucketing":{"1":"2"}}"#)
        try await expect("w", nil)
        try await expectEvents(events)
    }

    func checkFirstDecision() async throws {
        let first = events(1...1, reporting: .decision(experience: "1"))
        let second = events(2...2, reporting: .decision(experience: "1"))
        let third = events(3...3, reporting: .decision(experience: "1"))
        _ = try await ledger.commit([entry("v", decisions: ["1": "a"], events: first)])
        let record = #"{"bucketing":{"1":"a","2":"c"}}"#
        try await commit(
            entry("v", decisions: ["1": "b", "2": "c"], events: second),
            expecting: outcome(record, unreported: second), "another variation")
        try await expect("v", record)
        try await commit(
            entry("v", decisions: ["1": "a"], events: third),
            expecting: outcome(record, unreported: third), "the same variation once more")
        try await expectEvents(first)
    }

    func checkGoal() async throws {
        let first = events(1...1, reporting: .goal("g"))
        let again = events(2...2, reporting: .goal("g"))
        let values = events(3...3)
        _ = try await ledger.commit([entry("v", goals: ["g"], events: first)])
        try await commit(
            entry("v", goals: ["g"], events: again + values),
            expecting: outcome(#"{"goals":{"g":true}}"#, unreported: again), "a second time")
        try await expectEvents(first + values)
        let other = events(4...4, reporting: .goal("g"))
        try await commit(
            entry("w", goals: ["g"], events: other), expecting: outcome(#"{"goals":{"g":true}}"#),
            "another visitor's goal")
    }

    func checkReplacement() async throws {
        _ = try await ledger.commit([entry("v", decisions: ["1": "a"])])
        let events = events(1...1, reporting: .decision(experience: "1"))
        try await commit(
            entry("v", decisions: ["1": "b"], replacing: ["1": "a"], events: events),
            expecting: outcome(#"{"bucketing":{"1":"b"}}"#),
            "a decision that names the stored one")
        try await expect("v", #"{"bucketing":{"1":"b"}}"#)
        try await commit(
            entry("v", decisions: ["1": "c"], replacing: ["1": "a"]),
            expecting: outcome(#"{"bucketing":{"1":"b"}}"#),
            "a decision that names another one than the stored one")
        try await expectEvents(events)
    }

    func checkGroup() async throws {
        let events = events(1...3, reporting: .goal("g"))
        let outcomes = try await ledger.commit([
            entry("v", goals: ["g"], events: [events[0]]), entry("w", decisions: ["1": "a"]),
            entry("v", decisions: ["1": "b"], goals: ["g"], events: [events[1]]),
            entry("w", goals: ["g"], events: [events[2]]),
        ])
        try ConvertTesting.expect(
            outcomes,
            equals: [
                outcome(#"{"goals":{"g":true}}"#), outcome(#"{"bucketing":{"1":"a"}}"#),
                outcome(#"{"bucketing":{"1":"b"},"goals":{"g":true}}"#, unreported: [events[1]]),
                outcome(#"{"bucketing":{"1":"a"},"goals":{"g":true}}"#),
            ], "entries of two visitors in one call")
        try await expectEvents([events[0], events[2]])
    }

    func checkSecondOffer() async throws {
        let goal = events(1...1, reporting: .goal("g"))
        let decision = events(2...2, reporting: .decision(experience: "1"))
        let offer = entry("v", decisions: ["1": "a"], goals: ["g"], events: goal + decision)
        let record = #"{"bucketing":{"1":"a"},"goals":{"g":true}}"#
        _ = try await ledger.commit([offer])
        try await commit(offer, expecting: outcome(record), "the same entry once more")
        try await expectEvents(goal + decision)
        try await ledger.remove((goal + decision).map(\.id))
        try await commit(
            offer, expecting: outcome(record, unreported: goal + decision),
            "an entry whose events were delivered by another owner meanwhile")
        try await expectEvents([])
    }

    func checkSegments() async throws {
        let writes: [JSObject] = [
            ["country": "DE", "customSegments": ["1"]], ["customSegments": ["2"]], ["country": ["a"]],
            ["customSegments": "x"], ["customSegments": ["3"], "plan": ["level": 1]],
            ["plan": ["level": ["deep": true]]],
        ]
        var expected = VisitorState()
        for write in writes {
            expected.apply(.segments(write))
            _ = try await ledger.commit([entry("v", segments: write)])
        }
        try ConvertTesting.expect(try await ledger.visitor("v"), equals: expected, "segments written one by one")
        _ = try await ledger.commit(writes.map { entry("w", segments: $0) })
        try ConvertTesting.expect(try await ledger.visitor("w"), equals: expected, "segments written in one call")
    }

    func checkValues() async throws {
        var changes = VisitorState()
        changes.apply(.bucketing(experienceID: PropertyKey("é\u{0}\u{1F600}"), variationID: 12))
        changes.apply(.bucketing(experienceID: PropertyKey("2"), variationID: .null))
        changes.apply(.locations(["a", nil, ""]))
        changes.apply(.goal(PropertyKey("")))
        changes.apply(.segments(["n": 1e21, "m": -0.5, "l": ["x", .null, true, ["": "\u{0}\u{2028}"]], "o": [:]]))
        let outcome = try await ledger.commit([LedgerEntry(visitor: "v", changes: VisitorChanges(changes))])
        try ConvertTesting.expect(
            outcome, equals: [LedgerOutcome(record: changes)], "an entry with values of every kind")
        try ConvertTesting.expect(try await ledger.visitor("v"), equals: changes, "values of every kind")
    }
}
