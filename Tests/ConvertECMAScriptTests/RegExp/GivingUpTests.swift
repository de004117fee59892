import ConvertECMAScript
import ConvertTestSupport
import Testing

/// Without back references there is always an answer, from `test` and from `exec`, and both agree.
struct GivingUpTests {
    @Test(arguments: [PatternGenerator.Kind.regular, .lookarounds])
    func generatedPatternsNeverGiveUp(kind: PatternGenerator.Kind) async throws {
        for seed in 0..<caseCount(20, plain: 8) {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: kind)
            let text = generator.pattern(depth: 5).text
            // Loops around loops, and an end that hardly any input has.
            for pattern in [text, "(?:(\(text))*a|(?:a|\(text))+)*$", "(?:(?:\(text)|a?){0,9}){3,9}!"] {
                let expression = try RegExp(pattern, flags: generator.flags())
                let piece = generator.input() + "a"
                for input in [String(repeating: piece, count: 100), String(repeating: "a", count: 500) + "é" + piece] {
                    let matches = try expression.test(input)
                    #expect(try (expression.exec(input) != nil) == matches, "seed \(seed), /\(pattern)/")
                }
            }
        }
    }

    /// What multiplies when it is written out carelessly.
    @Test func nestedAndCountedPatternsNeverGiveUp() async throws {
        func nested(_ opening: String, _ body: String, _ closing: String, _ depth: Int) -> String {
            String(repeating: opening, count: depth) + body + String(repeating: closing, count: depth)
        }
        for seed in 0..<caseCount(5, plain: 2) {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: .lookarounds)
            let (small, text) = (generator.pattern(depth: 2).text, generator.pattern(depth: 3).text)
            let patterns = [
                nested("(", text, ")+", 20) + "$", "^" + nested("(?:a|", "(\(small))", "|b)+", 30) + "!",
                nested("(?:", "a(?:\(small))", "b?)+?", 20) + "$", "^(?:a|(\(small))){1,1000}$",
                "(?:(a?)(?:\(small))){300,}!", nested("(?:a|(?=[ab]*(?!", small, "!))|b)*", 8) + "$",
                nested("(?<=(?:a|(", small, "))+)a?", 6) + "$",
            ]
            for pattern in patterns {
                let expression = try RegExp(pattern)
                let inputs = ["aaa", generator.input() + "ab"].map { String(repeating: $0, count: 20) + "b" }
                for input in inputs {
                    let matches = try expression.test(input)
                    #expect(try (expression.exec(input) != nil) == matches, "seed \(seed), /\(pattern)/")
                }
            }
        }
    }

    static let hostile = [
        "(a+)+$", "((a+)+)+!", "(a|aa)+$", "(a|a)*?$", "(a?){50}a{50}!", "((a?)*)*!", "((a*)*)*?$", "(?:(a*)(b*))*c",
        "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "(.*)*=", "(.*)(.*)(.*)(.*)!", "([^!]*a){12}!", "(a|b)*a[ab]{12}c",
        "(?=(a+)+b)c", "(?:(?=(a))a|a)*?(?!a)!", "(?:(a|aa)+)+$(?<=b)", "(?!.*(?:a|aa|é)+$)!|(?<!(?:a*)*b)c",
        "(?<=(?=(?:x?a?)*!)a*)b", "(?:(?=((?:a|b)*c))a)*d", "(?<!(?:a|aa)+b)c(?=d)", "(?=a(?=a(?=a(?!a))))b",
        "(?:a(?=((?:a|b)*a[ab]{8}c))|b)*d", "^(?=.*a)(?=.*b)(?=.*c)(?!.*d)(?:a*)*e", "(?:(a)|(b)|(c)|(?=(a*))){2,40}!",
        "(?:(a{1,9}){1,9}){1,9}!", "(?:(a?b?){0,30}){0,30}!", "(?:a|bc){0,2000000}!",
    ]

    @Test(arguments: hostile)
    func hostilePatternsNeverGiveUp(pattern: String) throws {
        // Eight hundred letters with CONVERT_CASES=2.
        let count = inputSize(800, plain: 100)
        let inputs = [
            String(repeating: "a", count: count), String(repeating: "ab", count: count / 2) + "c",
            String(repeating: "aé😀b", count: count / 4), String(repeating: "a", count: count) + "!",
        ]
        for flags in ["i", "v"] {
            let expression = try RegExp(pattern, flags: flags)
            for input in inputs {
                let matches = try expression.test(input)
                #expect(try (expression.exec(input) != nil) == matches)
            }
        }
    }

    /// Thousands of instructions are alive at every position. With more cases, the steps are hundreds of millions.
    @Test func wideAutomataNeverGiveUp() throws {
        let expression = try RegExp("^" + String(repeating: ".*", count: 1_000) + "(x)b")
        let letters = String(repeating: "a", count: min(40_000, caseCount(60)))
        let count = letters.utf8.count
        #expect(try expression.exec(letters + "xb" + letters)?.range(of: 1) == count..<count + 1)
        #expect(try expression.exec(letters) == nil)
    }

    /// Each `*` is tried again for every one inside of it.
    @Test func loopsInsideEachOtherNeverGiveUp() throws {
        let pattern = String(repeating: "(?:", count: 1_000) + "(a)" + String(repeating: ")*", count: 1_000) + "$"
        let expression = try RegExp(pattern)
        let count = inputSize(300, plain: 50)
        let input = String(repeating: "a", count: count)
        #expect(try expression.exec(input + "b")?.range == count + 1..<count + 1)
        #expect(try expression.exec(input)?.range(of: 1) == count - 1..<count)
    }
}
