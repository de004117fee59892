/// What the linear matcher knows, on its way, of the iterations around the place where it stands.
struct OpenIterations {
    /// The first iteration of a lazy loop, which has consumed nothing yet.
    private struct FirstIteration {
        /// Whether the iteration around it had consumed something before.
        var hadConsumed: Bool
        /// Whether there is a match if it stays empty.
        var canBeEmpty: Bool
    }

    /// Whether the innermost iteration has consumed something; so it is where there is none.
    private var hasConsumed = true
    /// Those that may still stay empty, the innermost one last.
    private var firsts: [FirstIteration] = []

    /// Whether the rest of the part matches from instruction `index` on.
    @inline(__always)
    func canGoOn<Input>(at index: Int, _ rows: ViabilityRows<Input>, _ position: Int) -> Bool {
        if rows.isViable(index, hasConsumed ? .made : .required, at: position) { return true }
        guard let first = firsts.last, first.canBeEmpty else { return false }
        return rows.isViable(index, .none, at: position)
    }

    /// A unit was consumed, in all iterations.
    @inline(__always)
    mutating func haveConsumed() {
        hasConsumed = true
        if !firsts.isEmpty { firsts.removeAll(keepingCapacity: true) }
    }

    /// Begins an iteration that has to consume something, so that those around it do too.
    mutating func begin() {
        hasConsumed = false
        firsts.removeAll(keepingCapacity: true)
    }

    /// Begins the first iteration of a lazy loop.
    mutating func beginFirst(canBeEmpty: Bool) {
        firsts.append(FirstIteration(hadConsumed: hasConsumed, canBeEmpty: canBeEmpty))
        hasConsumed = false
    }

    /// Ends the innermost iteration of a lazy loop if it has consumed nothing. Returns whether it did.
    mutating func endEmpty() -> Bool {
        guard !hasConsumed, let first = firsts.popLast() else { return false }
        hasConsumed = first.hadConsumed
        return true
    }
}
