/// The linear matcher's knowledge about the iterations around its current position.
struct OpenIterations {
    /// The first iteration of a lazy loop, which has consumed nothing yet.
    private struct FirstIteration {
        /// Whether the iteration around this iteration had already consumed something.
        var hadConsumed: Bool
        /// Whether there is a match if this iteration stays empty.
        var canBeEmpty: Bool
    }

    /// Whether the innermost iteration has consumed something; also `true` if there is no iteration.
    private var hasConsumed = true
    /// First iterations that may still stay empty, the innermost one last.
    private var firsts: [FirstIteration] = []

    /// Whether the rest of the part matches from instruction `index` on.
    @inline(__always)
    func canGoOn<Input>(at index: Int, _ rows: ViabilityRows<Input>, _ position: Int) -> Bool {
        if rows.isViable(index, hasConsumed ? .made : .required, at: position) { return true }
        guard let first = firsts.last, first.canBeEmpty else { return false }
        return rows.isViable(index, .none, at: position)
    }

    /// Notes that a unit was consumed, in all iterations.
    @inline(__always)
    mutating func haveConsumed() {
        hasConsumed = true
        if !firsts.isEmpty { firsts.removeAll(keepingCapacity: true) }
    }

    /// Begins an iteration that must consume something. Then the iterations around it will have consumed something too.
    mutating func begin() {
        hasConsumed = false
        firsts.removeAll(keepingCapacity: true)
    }

    /// Begins the first iteration of a lazy loop.
    mutating func beginFirst(canBeEmpty: Bool) {
        firsts.append(FirstIteration(hadConsumed: hasConsumed, canBeEmpty: canBeEmpty))
        hasConsumed = false
    }

    /// Ends the innermost iteration if it is the first iteration of a lazy loop and has consumed nothing. Returns
    /// whether an iteration was ended.
    mutating func endEmpty() -> Bool {
        guard !hasConsumed, let first = firsts.popLast() else { return false }
        hasConsumed = first.hadConsumed
        return true
    }
}
