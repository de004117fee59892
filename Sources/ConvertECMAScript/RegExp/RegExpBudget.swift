/// A limit for the work of several tests together.
///
/// The unit is a visit of an automaton to an instruction, or the reading of a byte. A step of the backtracker takes
/// about as long as ten visits.
@usableFromInline
package struct RegExpBudget: Sendable {
    @usableFromInline static let visitsPerStep = 10

    /// The number of visits that are left. The last test may exceed it by one reading of its input.
    @usableFromInline var visits: Int

    @usableFromInline let total: Int

    /// Creates a budget of `steps` of the backtracker, by default the steps for one test.
    @inlinable @inline(__always)
    package init(steps: Int = RegExpLimits.steps) { self.init(visits: steps * Self.visitsPerStep) }

    @inlinable @inline(__always)
    init(visits: Int) {
        self.visits = visits
        total = visits
    }

    /// No budget: only the executors' own limits apply.
    static let unlimited = RegExpBudget(visits: Int.max / 2)

    /// Whether the budget is spent.
    package var isSpent: Bool { visits <= 0 }

    /// Whether more than half of the budget is left.
    package var isHalfLeft: Bool { visits > total / 2 }

    /// The steps of the backtracker that are left.
    var steps: Int { max(0, visits) / Self.visitsPerStep }

    /// Deducts `count` visits if they are left. Returns `false`, and deducts nothing, if they are not.
    package mutating func pay(visits count: Int) -> Bool {
        guard count <= max(0, visits) else { return false }
        visits -= count
        return true
    }

    /// Deducts `count` visits.
    package mutating func spend(visits count: Int) { visits -= count }

    /// The cost of searching this many bytes for a text. A search checks many bytes at once.
    @inline(__always)
    static func visits(searchingBytes count: Int) -> Int { count &>> 3 }

    mutating func spend(steps count: Int) { visits -= count * Self.visitsPerStep }
}
