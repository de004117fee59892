import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// A document, what the device knows, and the events that one engine handles in turn.
struct MobileRulesCase: Decodable {
    /// One event and what it must come to.
    struct Step: Decodable {
        let event: MobileEvent
        let now: Int64?
        let expect: Expectation

        private enum CodingKeys: String, CodingKey { case event, now, expect }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            event = try container.decode(ReplayEvent.self, forKey: .event).event
            now = try container.decodeIfPresent(Int64.self, forKey: .now)
            expect = try container.decode(Expectation.self, forKey: .expect)
        }
    }

    /// The expected members; one that is absent is not checked.
    struct Expectation: Decodable {
        let members: JSObject

        var isRejected: Bool { members["rejected"] == true }

        private static let known: Set = [
            "consequences", "details", "data", "dispatched", "triggered", "recorded", "rejected",
        ]

        init(from decoder: any Decoder) throws {
            members = try JSObject(from: decoder).resolvingNumbers
            if let unknown = members.first(where: { !Self.known.contains($0.key.name) }) {
                throw VectorError(message: "nothing is known to expect as '\(unknown.key.name)'")
            }
            guard case .array? = members["consequences"] else {
                throw VectorError(message: "'expect' has no list of consequences")
            }
        }
    }

    let rules: Result<RulesDocument, any Error>
    let states: [String: JSObject]
    let history: any EventHistory
    let timeZone: Int
    let handlesDispatched: Bool
    let steps: [Step]

    private enum CodingKeys: String, CodingKey {
        case rules, state, history, timeZone, redispatch, then
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.rules) else { throw VectorError(message: "no member 'rules'") }
        let document = try container.decode(JSValue.self, forKey: .rules)
        rules = Result { try RulesDocument(json: Data(ECMAScript.jsonText(of: document).utf8)) }
        states =
            try container.decodeIfPresent([String: JSObject].self, forKey: .state)?
            .mapValues(\.resolvingNumbers) ?? [:]
        history = try Self.history(container)
        timeZone = try container.decodeIfPresent(Int.self, forKey: .timeZone) ?? 0
        handlesDispatched = try container.decodeIfPresent(Bool.self, forKey: .redispatch) ?? false
        steps = [try Step(from: decoder)] + (try container.decodeIfPresent([Step].self, forKey: .then) ?? [])
    }

    private static func history(_ container: KeyedDecodingContainer<CodingKeys>) throws -> any EventHistory {
        if (try? container.decode(String.self, forKey: .history)) == "error" { return FailingEventHistory() }
        let history = InMemoryEventHistory()
        for record in try container.decodeIfPresent([Record].self, forKey: .history) ?? [] {
            history.record(
                EventFingerprint(of: record.event.resolvingNumbers, mask: record.mask), at: record.at)
        }
        return history
    }

    private struct Record: Decodable {
        let event: JSObject
        let at: Int64
        let mask: [String]?
    }
}

/// An event whose numbers may be written as JSON cannot hold them.
private struct ReplayEvent: Decodable {
    let event: MobileEvent

    init(from decoder: any Decoder) throws {
        let event = try MobileEvent(from: decoder)
        self.event = MobileEvent(
            type: event.type, source: event.source, data: event.data?.resolvingNumbers, mask: event.mask)
    }
}

/// A history of which no look-up or record succeeds.
private struct FailingEventHistory: EventHistory {
    private struct Unreadable: Error {}

    func record(_ fingerprint: EventFingerprint, at time: Int64) throws { throw Unreadable() }

    func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences {
        throw Unreadable()
    }

    func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int { throw Unreadable() }
}
