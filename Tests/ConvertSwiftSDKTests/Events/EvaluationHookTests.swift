import ConvertMonitoring
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct EvaluationHookTests {
    /// Writes down what it sees.
    private struct Recorder: EvaluationHook {
        let seen = Log<String>()

        func before(_ evaluation: EvaluationCall) { seen.append("? \(evaluation.key)") }

        func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
            seen.append("\(evaluation.key) = \(answer.variant ?? "-") (\(answer.reason))")
        }

        func failed(_ evaluation: EvaluationCall, _ reason: String) { seen.append("\(evaluation.key)! \(reason)") }
    }

    private let hook = Recorder()

    private func context(_ id: String = "v1", plan: String = "pro") throws -> ConvertContext {
        try Fixture.sdk {
            $0.evaluationHook = hook
            $0.logLevel = .silent
        }.createContext(visitorID: id, attributes: ["plan": .string(plan)])
    }

    @Test func aHookSeesEveryQuestionBeforeAndAfterItsAnswer() throws {
        let context = try context()
        context.decide("pros")
        context.decide("pros")
        context.decide(experienceID: "91")
        context.decide("home")
        #expect(
            hook.seen.entries == [
                "? pros", "pros = pros-a (bucketed)", "? pros", "pros = pros-a (stored)", "? 91",
                "91 = pros-a (stored)",
                "? home", "home = - (locationNotMatched)",
            ])
    }

    @Test func aHookSeesFeatures() throws {
        let context = try context()
        _ = context.isFeatureEnabled("other")
        _ = context.feature("flow", experienceKeys: ["carrier"])
        #expect(
            hook.seen.entries == [
                "? other", "other = disabled (notCarried)", "? flow", "flow = enabled (given)",
            ])
    }

    @Test func anUndecidableQuestionIsReportedAsAFailure() throws {
        let context = try context()
        context.decide("nope")
        _ = context.feature("nope")
        try self.context("").decide("pros")
        #expect(
            hook.seen.entries == [
                "? nope", "nope! unknownExperience", "? nope", "nope! undeclared", "? pros", "pros! missingVisitorID",
            ])
    }

    @Test func aHookMethodThatIsNotImplementedDoesNothing() throws {
        struct Partial: EvaluationHook {
            let asked = Log<String>()

            func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) { asked.append(answer.reason) }
        }
        let hook = Partial()
        let context = try Fixture.sdk { $0.evaluationHook = hook }.createContext(visitorID: "v1")
        context.decide("all", exposure: false)
        #expect(hook.asked.entries == ["bucketed"])
    }
}
