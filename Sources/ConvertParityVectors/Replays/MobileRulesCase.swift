import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// A rules document, the shared states and the history, and the events that one engine processes in turn.
struct MobileRulesCase: VectorCase {
    /// One event and its expected result.
    struct Step {
        let event: MobileEvent
        let now: Int64?
        let expect: Expectation

        init(_ cursor: JSONCursor) throws(VectorError) {
            let event = try cursor.required("event").asObject
            // The data may contain Numbers that JSON cannot express; `asMembers` resolves them.
            self.event = MobileEvent(
                type: try event.required("type").asText, source: try event.required("source").asText,
                data: try event.optional("data")?.asMembers, mask: try event.optional("mask")?.asTexts)
            now = try cursor.optional("now")?.asInteger()
            expect = try Expectation(cursor.required("expect"))
        }
    }

    /// The expected members of the result. Missing members are not checked.
    struct Expectation {
        let members: JSObject

        var isRejected: Bool { members["rejected"] == true }

        private static let known: Set = [
            "consequences", "details", "data", "dispatched", "triggered", "recorded", "rejected",
        ]

        init(_ cursor: JSONCursor) throws(VectorError) {
            members = try cursor.asMembers
            if let unknown = members.first(where: { !Self.known.contains($0.key.name) }) {
                throw VectorError(message: "'expect' has an unknown member '\(unknown.key.name)'")
            }
            guard case .array? = members["consequences"] else {
                throw VectorError(message: "'expect' has no list of consequences")
            }
        }
    }

    let rules: Result<RulesDocument, MobileRulesError>
    let states: [PropertyKey: JSObject]
    let history: any EventHistory
    let timeZone: Int
    let handlesDispatched: Bool
    let steps: [Step]

    init(_ cursor: JSONCursor) throws(VectorError) {
        let document = Data(ECMAScript.jsonText(of: try cursor.required("rules").value).utf8)
        rules = Result { () throws(MobileRulesError) in try RulesDocument(json: document) }
        var states: [PropertyKey: JSObject] = [:]
        if let members = try cursor.optional("state")?.asObject.members {
            for state in members { states[state.name ?? ""] = try state.asMembers }
        }
        self.states = states
        history = try Self.history(cursor.optional("history"))
        timeZone = try cursor.optional("timeZone")?.asInteger() ?? 0
        handlesDispatched = try cursor.optional("redispatch")?.asFlag ?? false
        var steps = [try Step(cursor)]
        if let others = try cursor.optional("then")?.asElements {
            for step in others { steps.append(try Step(step)) }
        }
        self.steps = steps
    }

    private static func history(_ cursor: JSONCursor?) throws(VectorError) -> any EventHistory {
        if cursor?.text == "error" { return FailingEventHistory() }
        let history = InMemoryEventHistory()
        guard let records = try cursor?.asElements else { return history }
        for record in records {
            let fingerprint = EventFingerprint(
                of: try record.required("event").asMembers, mask: try record.optional("mask")?.asTexts)
            history.record(fingerprint, at: try record.required("at").asInteger())
        }
        return history
    }
}

extension JSONCursor {
    /// The members of a value that must be an object, with their numbers resolved.
    fileprivate var asMembers: JSObject {
        get throws(VectorError) { try asObject.value.objectValue?.resolvingNumbers ?? JSObject() }
    }
}

/// A history whose operations all fail.
private struct FailingEventHistory: EventHistory {
    private struct Unreadable: Error {}

    func record(_ fingerprint: EventFingerprint, at time: Int64) throws { throw Unreadable() }

    func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences {
        throw Unreadable()
    }

    func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int { throw Unreadable() }
}
