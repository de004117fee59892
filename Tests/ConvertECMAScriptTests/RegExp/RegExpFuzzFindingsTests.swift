import ConvertECMAScript
import Testing

/// Inputs on which the fuzzer stopped. All are patterns that use up the budget; none may take longer than that.
struct RegExpFuzzFindingsTests {
    static let findings: [(pattern: String, flags: String, input: String)] = [
        (
            "(\\w|(?<_a>\\k<_a>\\D*)K?)+[^\\sKB]µ\\k<_a>\u{1}", "ims",
            "\0\0\0\0\0\u{17}\u{fffd}µaaaaµbk"
        ),
        ("B*?.*?B(.+)\\1+$", "i", "abababababab\0ababababababa(?<=bababababababababa(?B*?.*?B(.+)\\1a(?<=bababa$\0a!"),
        ("<([a-z]+)([^<]+)*(?:>(.*)<\\/\\1|\\s+\\/>)", "i", "<axx/xxxxxxxx\u{fffd}\u{fffd}xxxxxxxxx"),
    ]

    @Test(arguments: findings)
    func endWithAnAnswerOrABudget(pattern: String, flags: String, input: String) throws {
        let expression = try RegExp(pattern, flags: flags)
        let answer = Result { () throws(RegExpBudgetExceeded) in try expression.test(input) }
        if case .success(let matches) = answer { #expect(try matches == (expression.exec(input) != nil)) }
    }
}
