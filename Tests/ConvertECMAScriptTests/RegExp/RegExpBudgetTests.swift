import Testing

@testable import ConvertECMAScript

struct RegExpBudgetTests {
    /// Patterns that take much: by automaton, by lookarounds' automata, and by backtracking.
    static let costly: [(pattern: String, input: String)] = [
        ("(?:a|b)*a[ab]{40}c", mixed + "d"), ("x|(?=(?:a|b)*a[ab]{40}c)a", mixed + "d"),
        ("(?<=(?:a|b)*a[ab]{40}c)d", mixed + "d"),
        ((0..<20).map { "(?<=(?:a|b)*a[ab]{\(20 + $0)}c)" }.joined() + "d", mixed + "d"),
        ("^(a+)+\\1$", String(repeating: "a", count: 40) + "!"),
    ]

    /// Letters that seem to have no order, so that hardly any set of instructions recurs.
    private static let mixed: String = {
        var state: UInt32 = 1
        return String(
            (0..<400).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return state >> 31 == 0 ? "a" : "b"
            })
    }()

    private func test(_ expression: RegExp, _ input: String, _ budget: inout RegExpBudget) throws -> Bool {
        return try input.utf8.withElements { bytes in
            Result { () throws(RegExpBudgetExceeded) in try expression.test(utf8: bytes, budget: &budget) }
        }.get()
    }

    @Test(arguments: costly) func severalTestsTakeNoMoreThanTheirBudget(pattern: String, input: String) throws {
        let expressions = try (0..<50).map { try RegExp(pattern + "|never\($0)") }
        var budget = RegExpBudget(steps: 20_000)
        var abandonedCount = 0
        for expression in expressions where !budget.isSpent {
            do {
                #expect(try !test(expression, input, &budget))
            } catch {
                abandonedCount += 1
            }
        }
        #expect(budget.isSpent)
        #expect(abandonedCount <= 1)
        // The last test may end the unit that it is at.
        #expect(budget.visits > -10_000)
    }

    @Test func patternsThatTakeLittleLeaveTheirBudget() throws {
        let expression = try RegExp("^/checkout/(\\d+)/\\1(?=/|$)", flags: "i")
        let automaton = try RegExp("^/checkout/(?:\\d+)(?=/|$)", flags: "i")
        var budget = RegExpBudget(steps: 20_000)
        for _ in 0..<100 {
            #expect(try test(expression, "/Checkout/12/12", &budget))
            #expect(try test(automaton, "/Checkout/12", &budget))
        }
        #expect(budget.isHalfLeft)
    }

    /// What takes several steps for each byte of its input.
    @Test func theInputsLengthAllowsNothingBeyondTheBudget() throws {
        let expression = try RegExp("(\\w)\\1{3}x")
        let input = String(repeating: "ab", count: 10_000)
        #expect(try !expression.test(input))
        var budget = RegExpBudget(steps: 20_000)
        #expect(throws: RegExpBudgetExceeded.self) { try test(expression, input, &budget) }
        #expect(budget.isSpent)
    }

    @Test(arguments: [
        "[ab]{3}[cd]", "ab(?=[cd])[cd]", "xy[a-z]*", "[ab](?![ab])[cd]", "(?<=[ab]{3}[cd])[ab]",
        "([q-z])\\1|([q-z])\\2[q-z]",
    ])
    func eachByteThatIsReadCounts(pattern: String) throws {
        let expression = try RegExp(pattern)
        var visits: [Int] = []
        for count in [10_000, 20_000] {
            var budget = RegExpBudget()
            let before = budget.visits
            #expect(try !test(expression, String(repeating: "ab", count: count), &budget))
            visits.append(before - budget.visits)
        }
        #expect(visits[0] >= 19_900 && visits[1] >= 39_900, "\(visits)")
    }

    @Test func aSearchForATextCountsTheBytesThatItLooksAt() throws {
        let expression = try RegExp("[a-z]never")
        var budget = RegExpBudget()
        let before = budget.visits
        #expect(try !test(expression, String(repeating: "ab", count: 10_000), &budget))
        #expect((2_000...20_000).contains(before - budget.visits))
    }

    @Test func halfOfABudgetIsCountedExactly() {
        var budget = RegExpBudget(steps: 10)
        budget.spend(visits: 49)
        #expect(budget.isHalfLeft)
        budget.spend(visits: 1)
        #expect(!budget.isHalfLeft && !budget.isSpent)
        budget.spend(steps: 4)
        #expect(budget.steps == 1 && budget.visits == 10)
        budget.spend(steps: 2)
        #expect(budget.isSpent && budget.steps == 0)
    }
}
