internal import ConvertECMAScript

/// What the patterns of one call may cost together, and what was given up because of it.
struct PatternBudget {
    private var room: RegExpBudget
    /// Index into the program of the first condition that was given up.
    private(set) var firstAbandoned: Int?
    /// How many comparisons have no answer because earlier ones had spent the budget. Another call may answer them.
    private(set) var skippedCount = 0

    /// A budget of so many steps of the backtracker.
    init(steps: Int) { room = RegExpBudget(steps: steps) }

    /// Whether `pattern`, which the condition at `condition` asks for, matches `text`.
    mutating func truth(of pattern: RegExp, on text: ByteText, at condition: Int) -> Truth {
        let isFair = room.isHalfLeft
        if !room.isSpent {
            do throws(RegExpBudgetExceeded) {
                return Truth(try pattern.test(utf8: text.bytes, budget: &room))
            } catch {
                // Told below.
            }
        }
        if firstAbandoned == nil { firstAbandoned = condition }
        // What most of a budget was not enough for is given up for good.
        if isFair { return .abandoned }
        skippedCount += 1
        return .skipped
    }
}
