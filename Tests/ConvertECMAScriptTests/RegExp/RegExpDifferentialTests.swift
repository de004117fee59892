import ConvertECMAScript
import Testing

/// Random patterns and inputs, answered by both executors and by the reference matcher.
struct RegExpDifferentialTests {
    @Test(arguments: [true, false])
    func executorsAgreeWithTheReference(isRegular: Bool) async throws {
        for seed in 0..<3_000 {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, isRegular: isRegular)
            let pattern = generator.pattern()
            let flags = generator.flags()
            let expression = try RegExp(pattern.text, flags: flags)
            for _ in 0..<6 {
                let input = generator.input()
                if let mismatch = try mismatch(expression, pattern, generator.groupCount, input) {
                    let place = "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)"
                    Issue.record("\(place): \(mismatch)")
                }
            }
        }
    }

    private func mismatch(
        _ expression: RegExp, _ pattern: ReferencePattern, _ groupCount: Int, _ input: String
    ) throws -> String? {
        let flags = ReferenceMatcher.Flags(
            ignoreCase: expression.flags.contains("i"), multiline: expression.flags.contains("m"),
            dotAll: expression.flags.contains("s"))
        let expected: [Range<Int>?]?
        do {
            expected = try ReferenceMatcher.exec(
                pattern, flags: flags, groupCount: groupCount, input: Array(input.utf16))
        } catch is ReferenceMatcher.GaveUp {
            return nil
        }
        if try expression.test(input) != (expected != nil) { return "test should give \(expected != nil)" }
        let found = try expression.exec(input).map { match in (0...groupCount).map { match.range(of: $0) } }
        return found == expected ? nil : "exec gave \(String(describing: found)), not \(String(describing: expected))"
    }
}
