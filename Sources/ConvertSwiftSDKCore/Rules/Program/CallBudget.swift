internal import ConvertECMAScript

/// What the comparisons of one call may cost together, and what was given up because of it.
///
/// Counted is what grows with the length of a visitor's texts: all of what patterns do, and other comparisons of what is longer
/// than ``freeTextCount``. Whatever else a call does is bounded by the config's size.
struct CallBudget {
    /// Steps that the comparisons of a call may take together, or what takes as long: between one and two tenths of a second.
    ///
    /// 8 KB of text may be read 20,000 times with it, as by so many patterns; a megabyte 150 times.
    static let steps = 16_000_000

    /// Bytes of a text that is compared for nothing, except by patterns: that takes about as long as to find the comparison.
    static let freeTextCount = 256

    private var room: RegExpBudget
    /// Index into the program of the first condition that was given up. Of conditions that share a comparison it is the one
    /// that the comparison was made for.
    private(set) var firstAbandoned: Int?
    /// How many comparisons have no answer because earlier ones had spent the budget. Another call may answer them.
    private(set) var skippedCount = 0

    /// A budget of so many steps of the backtracker.
    init(steps: Int = steps) { room = RegExpBudget(steps: steps) }

    /// Whether nothing is left.
    var isSpent: Bool { room.isSpent }

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
        return giveUp(at: condition, isFair: isFair)
    }

    /// Pays for a comparison that the condition at `condition` asks for. Returns the truth of one that takes more than is left.
    mutating func pay(visits: Int, at condition: Int) -> Truth? {
        room.pay(visits: visits) ? nil : giveUp(at: condition)
    }

    /// Takes off what was done already.
    mutating func spend(visits: Int) { room.spend(visits: visits) }

    /// The truth of a comparison that is given up.
    mutating func giveUp(at condition: Int) -> Truth { giveUp(at: condition, isFair: room.isHalfLeft) }

    private mutating func giveUp(at condition: Int, isFair: Bool) -> Truth {
        if firstAbandoned == nil { firstAbandoned = condition }
        // What most of a budget was not enough for is given up for good.
        if isFair { return .abandoned }
        skippedCount += 1
        return .skipped
    }
}
