import ConvertECMAScript
import ConvertMobileRules
import ConvertTestSupport
import Foundation
import Testing

/// What warnings say of an event's data, under all that can be wrong with it, the rules and what the engine works with.
struct WarningPrivacyTests {
    private static let marks = ["visitor-7f3a", "diagnosis-code-of-patient", "value-91c0"]

    /// An app's error that says more than it should.
    private struct Indiscreet: Error, CustomStringConvertible {
        var description: String { WarningPrivacyTests.marks.joined(separator: " ") }
    }

    private struct FailingHistory: EventHistory {
        func record(_ fingerprint: EventFingerprint, at time: Int64) throws { throw Indiscreet() }
        func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool { throw Indiscreet() }
        func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences {
            throw Indiscreet()
        }
        func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int { throw Indiscreet() }
    }

    private struct Observer: MobileRulesObserver {
        let warnings: Log<MobileRulesWarning>
        func didWarn(_ warning: MobileRulesWarning) { warnings.append(warning) }
    }

    @Test func warningsQuoteNothingOfAnEventNorOfAnErrorOfTheApp() async throws {
        let warnings = Log<MobileRulesWarning>()
        let sender = SignalSender(
            transport: ScriptedTransport(.status(500)), sleep: { _ in }, onFailure: { warnings.append($0) })
        func address(_ text: String) -> JSValue { ["templateurl": .string(text)] }
        let record: JSValue = [
            "id": "1", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
            "data": ["operation": "insertIfNotExists", "content": ["k": "{%diagnosis-code-of-patient%}"]],
        ]
        let past: JSValue = [
            "type": "historical",
            "definition": ["events": [["k": "v"]], "matcher": "ge", "value": 1, "from": 0, "to": 1_800_000_000_000],
        ]
        let engine = try engine(
            rule(always, consequence("path", "pb", address("https://e.com/{%diagnosis-code-of-patient%}/end"))),
            rule(always, consequence("host", "pb", address("https://{%diagnosis-code-of-patient%}/end"))),
            rule(always, consequence("down", "pb", address("https://e.com/?q={%diagnosis-code-of-patient%}"))),
            rule(always, consequence("record", "schema", record)), rule(past, consequence("past")),
            rule(always, consequence("none", "dispatch", ["type": "{%diagnosis-code-of-patient%}"])),
            rule(always, consequence("other", "url", address("{%diagnosis-code-of-patient%}"))),
            rule(always, consequence("write", "csp", ["key": "{%diagnosis-code-of-patient%}", "operation": "write"]))
        ) {
            $0.history = FailingHistory()
            $0.observer = Observer(warnings: warnings)
            $0.handlers = ["pb": sender]
        }
        engine.process(
            event(["diagnosis-code-of-patient": "a/../value-91c0/visitor-7f3a"], mask: ["diagnosis-code-of-patient"]))
        var deep: JSValue = "value-91c0"
        for _ in 0..<600 { deep = ["diagnosis-code-of-patient": deep] }
        engine.process(event(["visitor-7f3a": deep]))
        await sender.flush()
        #expect(Set(warnings.entries).count >= 9, "\(warnings.entries)")
        for warning in warnings.entries {
            #expect(!Self.marks.contains { "\(warning)".contains($0) }, "\(warning)")
        }
    }
}
