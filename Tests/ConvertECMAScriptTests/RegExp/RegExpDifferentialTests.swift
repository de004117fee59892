import ConvertECMAScript
import ConvertTestSupport
import Testing

/// Random patterns and inputs, answered by the engine and by the reference matcher.
struct RegExpDifferentialTests {
    private static let patterns = caseCount(500, plain: 200)
    private static let inputsPerPattern = 6

    @Test(arguments: PatternGenerator.Kind.allCases)
    func theEngineAgreesWithTheReference(kind: PatternGenerator.Kind) async throws {
        var answered = 0
        for seed in 0..<Self.patterns {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: kind)
            let pattern = generator.pattern()
            let flags = generator.flags()
            let expression = try RegExp(pattern.text, flags: flags)
            for _ in 0..<Self.inputsPerPattern {
                let input = generator.input()
                let place = "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)"
                do {
                    let expected = try ReferenceMatcher.exec(
                        pattern, flags: .init(flags), groupCount: generator.groupCount, input: Array(input.utf16))
                    answered += 1
                    #expect(try expression.test(input) == (expected != nil), "test, \(place)")
                    let found = try expression.exec(input)
                    let ranges = found.map { match in (0...generator.groupCount).map { match.range(of: $0) } }
                    #expect(ranges == expected, "exec, \(place)")
                } catch is ReferenceMatcher.GaveUp {}
            }
        }
        // An oracle that gives up confirms no answer.
        #expect(answered > Self.patterns * Self.inputsPerPattern * 99 / 100)
    }
}

extension ReferenceMatcher.Flags {
    /// The flags whose letters are in `text`.
    init(_ text: String) {
        self.init(
            ignoreCase: text.contains("i"), multiline: text.contains("m"), dotAll: text.contains("s"))
    }
}
