/// What several tests may take together.
///
/// Its unit is a visit of an automaton to an instruction, or the reading of a byte. A step of the backtracker takes about as
/// long as ten of them.
@usableFromInline
package struct RegExpBudget: Sendable {
    @usableFromInline static let visitsPerStep = 10

    /// Visits that are left. The last test may read its input once more than there are.
    @usableFromInline var visits: Int

    @usableFromInline let total: Int

    /// A budget of as many steps as the backtracker may take in one test, or of `steps`.
    @inlinable @inline(__always)
    package init(steps: Int = RegExpLimits.steps) { self.init(visits: steps * Self.visitsPerStep) }

    @inlinable @inline(__always)
    init(visits: Int) {
        self.visits = visits
        total = visits
    }

    /// What nobody can spend: then only each executor's own bounds count.
    static let unlimited = RegExpBudget(visits: Int.max / 2)

    /// Whether nothing is left.
    package var isSpent: Bool { visits <= 0 }

    /// Whether more than half of the budget is left.
    package var isHalfLeft: Bool { visits > total / 2 }

    /// Steps of the backtracker that are left.
    var steps: Int { max(0, visits) / Self.visitsPerStep }

    /// Takes `count` visits off if there are so many. Returns whether there are.
    package mutating func pay(visits count: Int) -> Bool {
        guard count <= max(0, visits) else { return false }
        visits -= count
        return true
    }

    /// Takes `count` visits off.
    package mutating func spend(visits count: Int) { visits -= count }

    /// What it costs to look for a text in so many bytes: many are looked at together.
    @inline(__always)
    static func visits(searchingBytes count: Int) -> Int { count &>> 3 }

    mutating func spend(steps count: Int) { visits -= count * Self.visitsPerStep }
}
