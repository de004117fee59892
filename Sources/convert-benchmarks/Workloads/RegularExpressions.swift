import ConvertECMAScript
import Foundation

/// W4: the comparator `regexMatches` on eight values in turn and, for comparison, the toolchain's two engines; and the
/// growth with the input's length for patterns on which a backtracking engine hangs.
enum RegularExpressions {
    static let workloads: [Workload] =
        [("W4u", "url", 95.0, 4), ("W4a", "ua", 105.0, 3)].flatMap { id, name, goal, matching in
            [
                comparator(id, name, operations: 1_000_000, goal: goal, matching: matching),
                workload("\(id)-ns", "NSRegularExpression", operations: 100_000, matching: matching) { inputs in
                    try foundation(inputs.pattern(name))
                },
                workload("\(id)-swift", "Swift's Regex", operations: 20_000, matching: matching) { inputs in
                    try standardLibrary(inputs.pattern(name))
                },
            ]
        }
        + [lookarounds(operations: 960_000)]
        + [
            memory(
                id: "W4m", summary: "bytes that a pattern of W4u, W4a and W4l keeps, with its caches",
                count: 1_000, expected: "3000 matched"
            ) { inputs in
                let own = try ["url", "ua"].map { try inputs.pattern($0) }
                return try own
                    + lookaroundPatterns.map { pattern, name in
                        PatternCase(pattern: pattern, values: try inputs.pattern(name).values)
                    }
            },
            memory(
                id: "W4m-hostile", summary: "bytes that each of 1,000 patterns with 2\u{2076}\u{2070} states keeps",
                count: 1_000, expected: "0 matched"
            ) { _ in
                let input = String(decoding: randomLetters(5_000), as: UTF8.self)
                return [PatternCase(pattern: "(?:a|b)*a[ab]{60}c|x(?!.*y)", values: [input])]
            },
        ]
        + [(100, 0), (10_000, 0), (1_000_000, 1)].flatMap { length, givenUp in
            [
                growth(length: length, .automaton, givenUp: 0), explosion(length: length),
                growth(length: length, .backtracker, givenUp: givenUp), hostileLookarounds(length: length),
            ]
        }

    /// The workload of the comparator. The `i`th operation tests value `i mod 8`.
    private static func comparator(
        _ id: String, _ name: String, operations: Int, goal: Double, matching: Int
    ) -> Workload {
        Workload(
            id: id, summary: "regexMatches on a value", goal: goal, expected: "\(operations / 8 * matching) matched",
            runner: .timed(operations: operations) { inputs in
                let comparator = try PatternComparator(inputs.pattern(name))
                return { "\(comparator.countMatches(operations: operations)) matched" }
            })
    }

    /// The workload of another engine. The `i`th operation tests value `i mod 8`.
    private static func workload(
        _ id: String, _ engine: String, operations: Int, matching: Int,
        prepare: @escaping @Sendable (Inputs) throws -> (Int) -> Bool
    ) -> Workload {
        Workload(
            id: id, summary: "\(engine) on a value", expected: "\(operations / 8 * matching) matched",
            runner: .timed(operations: operations) { inputs in
                let matches = try prepare(inputs)
                return {
                    var matched = 0
                    for index in 0..<operations where matches(index & 7) { matched += 1 }
                    return "\(matched) matched"
                }
            })
    }

    /// Patterns with lookarounds that are typical of targeting rules, each with the name of its values in `w4.json`.
    private static let lookaroundPatterns = [
        ("Safari(?!.*Chrome)", "ua"), ("(?<=utm_campaign=)[^&]+", "url"), ("^(?!.*bot).*chrome", "ua"),
    ]

    /// The workload of the comparator with each of these patterns on its values in turn.
    private static func lookarounds(operations: Int) -> Workload {
        Workload(
            id: "W4l", summary: "regexMatches with lookarounds on a value", goal: 150,
            expected: "\(operations / 24 * 8) matched",
            runner: .timed(operations: operations) { inputs in
                let comparators = try lookaroundPatterns.map { pattern, name in
                    try PatternComparator(PatternCase(pattern: pattern, values: inputs.pattern(name).values))
                }
                return {
                    let matched = comparators.reduce(0) {
                        $0 + $1.countMatches(operations: operations / comparators.count)
                    }
                    return "\(matched) matched"
                }
            })
    }

    /// Patterns that never match, with lookarounds that are evaluated at every position, nested, and in loops.
    private static let hostilePatterns = [
        "(?=(?:a+)+!)b", "(?!.*!)!", "(?<=!(?:a|b)*)a", "(?<!^(?:a|aa|b)*)b", "(?:a(?=(?:a|b)*a[ab]{8}!)|b)*!",
        "(?=.*a)(?=.*b)(?!.*c)(?:a*b*)*!", "(?=a(?=b(?=a(?=!))))a", "(?<=(?=(?:b?a?)*!)a*)b",
    ]

    /// The time per code unit for all these patterns together, on `length` random code units.
    private static func hostileLookarounds(length: Int) -> Workload {
        let rounds = max(1, 10_000 / length)
        return Workload(
            id: "W4l-hostile-\(length)",
            summary: "\(hostilePatterns.count) hostile patterns with lookarounds, per code unit of \(length)",
            expected: "0 matched",
            runner: .timed(operations: length * rounds * hostilePatterns.count) { _ in
                let expressions = try hostilePatterns.map { try RegExp($0) }
                let input = randomLetters(length)
                return {
                    var matched = 0
                    for _ in 0..<rounds {
                        for expression in expressions {
                            let matches = input.withElements { try? expression.test(utf8: $0) }
                            if matches ?? true { matched += 1 }
                        }
                    }
                    return "\(matched) matched"
                }
            })
    }

    /// The resident bytes for each of `count` compiled patterns, which are the patterns of `cases` in turn, after each
    /// was tested on its values.
    private static func memory(
        id: String, summary: String, count: Int, expected: String,
        cases: @escaping @Sendable (Inputs) throws -> [PatternCase]
    ) -> Workload {
        Workload(
            id: id, summary: summary, unit: .bytes, expected: expected,
            runner: .freshProcess(repetitions: 3) { inputs in
                let cases = try cases(inputs)
                // This allocates what all patterns share, which is not measured.
                _ = try cases.map { try RegExp($0.pattern, flags: "i").test($0.values[0]) }
                MemoryReading.releaseFreeMemory()
                let before = try MemoryReading.now()
                var matched = 0
                let expressions = try (0..<count).map { index in
                    let expression = try RegExp(cases[index % cases.count].pattern, flags: "i")
                    for value in cases[index % cases.count].values where try expression.test(value) { matched += 1 }
                    return expression
                }
                MemoryReading.releaseFreeMemory()
                let after = try MemoryReading.now()
                return withExtendedLifetime(expressions) {
                    Sample(
                        value: Double(after.resident - before.resident) / Double(count), check: "\(matched) matched")
                }
            })
    }

    private static func foundation(_ input: PatternCase) throws -> (Int) -> Bool {
        let expression = try NSRegularExpression(pattern: input.pattern, options: .caseInsensitive)
        return { index in
            let value = input.values[index].lowercased()
            let range = NSRange(location: 0, length: value.utf16.count)
            return expression.firstMatch(in: value, range: range) != nil
        }
    }

    private static func standardLibrary(_ input: PatternCase) throws -> (Int) -> Bool {
        let expression = try Regex(input.pattern).ignoresCase().matchingSemantics(.unicodeScalar)
        return { index in input.values[index].lowercased().firstMatch(of: expression) != nil }
    }

    /// The time per code unit on inputs of about `length` bytes, for the recorded patterns that make a backtracking
    /// engine hang and that run on `executor`. Each answer must be the recorded answer or given up.
    private static func growth(length: Int, _ executor: RegExp.Plan.Executor, givenUp: Int) -> Workload {
        return Workload(
            id: "W4\(executor == .automaton ? "d" : "b")-\(length)",
            summary: "hostile patterns by \(executor.rawValue), per code unit of \(length)"
                + (givenUp > 0 ? "; \(givenUp) of 3 given up, at the price of the budget" : ""),
            expected: "0 wrong, \(givenUp) given up",
            runner: .timed(operations: length * (executor == .automaton ? 39 : 3)) { inputs in
                let attacks = try inputs.attacks(length: length).filter { $0.expression.plan.executor == executor }
                return {
                    var wrong = 0
                    var givenUp = 0
                    for attack in attacks {
                        let answer = attack.input.withElements { try? attack.expression.test(utf8: $0) }
                        if answer == nil { givenUp += 1 } else if answer != attack.expected { wrong += 1 }
                    }
                    return "\(wrong) wrong, \(givenUp) given up"
                }
            })
    }

    /// The time per code unit on `length` random code units. Nearly every code unit leads to a new state of the
    /// automaton, so cached states do not help.
    private static func explosion(length: Int) -> Workload {
        let rounds = max(1, 100_000 / length)
        return Workload(
            id: "W4x-\(length)", summary: "2\u{2076}\u{2070} states, per code unit of \(length)", expected: "false",
            runner: .timed(operations: length * rounds) { _ in
                let expression = try RegExp("(?:a|b)*a[ab]{60}c")
                let input = randomLetters(length * rounds)
                return {
                    var matches = false
                    input.withElements { input in
                        for start in stride(from: 0, to: input.count, by: length) {
                            let part = input.slice(start..<start + length)
                            matches = (try? expression.test(utf8: part)) ?? true
                        }
                    }
                    return "\(matches)"
                }
            })
    }

    /// `count` pseudorandom letters `a` and `b`. Each call returns the same letters.
    private static func randomLetters(_ count: Int) -> [UInt8] {
        var random: UInt64 = 1
        return (0..<count).map { _ in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(ascii: "a") + UInt8(random >> 63)
        }
    }
}

/// A pattern and the values on which it is tested.
struct PatternCase {
    let pattern: String
    let values: [String]
}

/// The two steps of a condition: convert the value to lower case, then test the compiled pattern on it.
private final class PatternComparator {
    private let expression: RegExp
    /// The concatenated values. An array of values would slow down each test.
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]

    init(_ input: PatternCase) throws {
        expression = try RegExp(input.pattern, flags: "i")
        var bytes: [UInt8] = []
        ranges = input.values.map { value in
            bytes += value.utf8
            return bytes.count - value.utf8.count..<bytes.count
        }
        self.bytes = bytes
    }

    /// Tests the values in turn.
    func countMatches(operations: Int) -> Int {
        let (expression, ranges) = (expression, ranges)
        var matched = 0
        var lowercase: [UInt8] = []
        bytes.withElements { bytes in
            for index in 0..<operations {
                lowercase.removeAll(keepingCapacity: true)
                let value = bytes.slice(ranges[index & 7])
                ECMAScript.appendLowerCase(utf8: value, to: &lowercase)
                if lowercase.withElements({ bytes in (try? expression.test(utf8: bytes)) ?? false }) {
                    matched += 1
                }
            }
        }
        return matched
    }
}

extension Inputs {
    /// W4's pattern called `name`, with its values.
    func pattern(_ name: String) throws -> PatternCase {
        guard let input = try json("w4.json").objectValue?[name]?.objectValue,
            let pattern = input["pattern"]?.stringValue,
            let values = input["values"]?.arrayValue?.compactMap(\.stringValue), values.count == 8
        else { throw BenchmarkFailure(description: "w4.json has no pattern '\(name)' with eight values") }
        return PatternCase(pattern: pattern, values: values)
    }
}
