import ConvertECMAScript
import Testing

/// Inputs on which the fuzzer stopped, and the answer.
struct RegExpFuzzFindingsTests {
    static let findings: [(pattern: String, flags: String, input: String, answer: Bool)] = [
        (
            "(\\w|(?<_a>\\k<_a>\\D*)K?)+[^\\sKB]µ\\k<_a>\u{1}", "ims",
            "\0\0\0\0\0\u{17}\u{fffd}µaaaaµbk", false
        ),
        (
            "B*?.*?B(.+)\\1+$", "i",
            "abababababab\0ababababababa(?<=bababababababababa(?B*?.*?B(.+)\\1a(?<=bababa$\0a!", false
        ),
        ("<([a-z]+)([^<]+)*(?:>(.*)<\\/\\1|\\s+\\/>)", "i", "<axx/xxxxxxxx\u{fffd}\u{fffd}xxxxxxxxx", false),
    ]

    @Test(arguments: findings)
    func endWithTheAnswer(pattern: String, flags: String, input: String, answer: Bool) throws {
        let expression = try RegExp(pattern, flags: flags)
        #expect(try expression.test(input) == answer)
        #expect(try (expression.exec(input) != nil) == answer)
    }
}
