import ConvertECMAScript
import Testing

/// Inputs on which the fuzzer stopped, and the answer; `nil` where the budget is used up, which may not take for ever.
struct RegExpFuzzFindingsTests {
    static let findings: [(pattern: String, flags: String, input: String, answer: Bool?)] = [
        (
            "(\\w|(?<_a>\\k<_a>\\D*)K?)+[^\\sKB]µ\\k<_a>\u{1}", "ims",
            "\0\0\0\0\0\u{17}\u{fffd}µaaaaµbk", nil
        ),
        (
            "B*?.*?B(.+)\\1+$", "i",
            "abababababab\0ababababababa(?<=bababababababababa(?B*?.*?B(.+)\\1a(?<=bababa$\0a!", false
        ),
        ("<([a-z]+)([^<]+)*(?:>(.*)<\\/\\1|\\s+\\/>)", "i", "<axx/xxxxxxxx\u{fffd}\u{fffd}xxxxxxxxx", nil),
    ]

    @Test(arguments: findings)
    func endWithTheAnswerOrTheBudget(pattern: String, flags: String, input: String, answer: Bool?) throws {
        let expression = try RegExp(pattern, flags: flags)
        let outcome: Bool?
        do {
            outcome = try expression.test(input)
        } catch {
            // Typed, so this is the only way to end without an answer.
            let givenUp: RegExpBudgetExceeded = error
            #expect(!givenUp.description.isEmpty)
            outcome = nil
        }
        #expect(outcome == answer)
    }
}
