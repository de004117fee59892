internal import ConvertECMAScript

/// Limits the total cost of the comparisons of one call, and records that comparisons were abandoned.
///
/// The budget counts only costs that grow with the length of a visitor's texts: all pattern matching, and other
/// comparisons of texts longer than ``freeTextCount``. The config's size limits all other costs of a call.
struct CallBudget {
    /// Steps, or work that takes as long, for all comparisons of a call: between 0.1 and 0.2 seconds.
    ///
    /// With this budget 8 KB of text can be read 20,000 times, for example by 20,000 patterns, and 1 MB 150 times.
    static let steps = 16_000_000

    /// A text up to this many bytes is compared for free, except by patterns: comparing it takes about as long as
    /// finding the comparison.
    static let freeTextCount = 256

    private var room: RegExpBudget
    /// Index in the program of the first condition whose comparison was abandoned; `nil` if there was no such
    /// comparison. If several conditions share the comparison, this is the condition that was evaluated.
    private(set) var firstAbandoned: Int?
    /// The number of comparisons that have no answer because earlier ones spent the budget. Another call may answer
    /// them.
    private(set) var skippedCount = 0

    /// Creates a budget, measured in steps of the backtracker.
    init(steps: Int = steps) { room = RegExpBudget(steps: steps) }

    var isSpent: Bool { room.isSpent }

    /// Whether `pattern`, for the condition at `condition`, matches `text`.
    mutating func truth(of pattern: RegExp, on text: ByteText, at condition: Int) -> Truth {
        let isFair = room.isHalfLeft
        if !room.isSpent {
            do throws(RegExpBudgetExceeded) {
                return Truth(try pattern.test(utf8: text, budget: &room))
            } catch {
                // Handled by giveUp below.
            }
        }
        return giveUp(at: condition, isFair: isFair)
    }

    /// Pays for a comparison, for the condition at `condition`. Returns `nil`, or the truth to use if the budget does
    /// not suffice.
    mutating func pay(visits: Int, at condition: Int) -> Truth? {
        room.pay(visits: visits) ? nil : giveUp(at: condition)
    }

    /// Deducts work that was already done.
    mutating func spend(visits: Int) { room.spend(visits: visits) }

    /// Records that a comparison for the condition at `condition` was abandoned, and returns its truth.
    ///
    /// - Parameter isFair: whether more than half of the budget was left for the comparison; `nil` means that it still
    ///   is. If so, the comparison is abandoned for good.
    mutating func giveUp(at condition: Int, isFair: Bool? = nil) -> Truth {
        if firstAbandoned == nil { firstAbandoned = condition }
        if isFair ?? room.isHalfLeft { return .abandoned }
        skippedCount += 1
        return .skipped
    }
}
