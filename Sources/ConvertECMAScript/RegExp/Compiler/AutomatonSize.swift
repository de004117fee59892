/// Computes the sizes of a tree's automata before they are compiled.
enum AutomatonSize {
    /// The bounds of a repetition, as far as they affect whether there is a match: if the atom can be empty anywhere,
    /// no minimum is needed.
    static func bounds(
        _ repetition: PatternTree.Repetition, _ body: PatternAnalysis.Facts
    ) -> (minimum: Int, maximum: Int) {
        let maximum = repetition.maximum >= RegExpLimits.unboundedCount ? Int.max : repetition.maximum
        if body.maximumLength == 0 { return (min(repetition.minimum, 1), min(repetition.minimum, 1)) }
        return (body.minimumLength == 0 && !body.hasAssertions ? 0 : repetition.minimum, maximum)
    }

    /// The maximum number of instructions for the whole tree, including its lookarounds.
    static func size(of tree: PatternTree, _ analysis: PatternAnalysis) -> Int {
        var sizes: [Int] = []
        sizes.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var size = 1
            switch node {
            case .empty: size = 0
            case .sequence(let start, let end):
                size = tree.children[Int(start)..<Int(end)].reduce(0) { saturatingSum($0, sizes[Int($1)]) }
            case .alternation(let start, let end):
                size = tree.children[Int(start)..<Int(end)].reduce(0) { saturatingSum($0, sizes[Int($1)] + 2) }
            case .group(let body, _): size = sizes[Int(body)]
            case .repetition(let index):
                let repetition = tree.repetitions[Int(index)]
                let (minimum, maximum) = bounds(repetition, analysis[repetition.body])
                let copies = maximum == Int.max ? max(1, minimum) : maximum
                size = saturatingProduct(saturatingSum(sizes[Int(repetition.body)], 2), copies)
            case .unit, .set, .assertion, .lookaround, .backReference: break
            }
            // Far below the limit, so that no following addition overflows.
            sizes.append(min(size, Int.max / 4))
        }
        // A body has at most two automata, even if the lookaround is repeated.
        return tree.lookarounds.reduce(sizes[Int(tree.root)]) { sum, lookaround in
            saturatingSum(sum, saturatingProduct(2, sizes[Int(lookaround.body)]))
        }
    }
}

extension PatternTree {
    /// The longest input for which maxima of at least `RegExpLimits.unboundedCount` can be ignored: each counted
    /// iteration consumes a unit, so only a longer input reaches them.
    var longestUncountedInput: Int {
        let maxima = repetitions.lazy.map(\.maximum).filter { (RegExpLimits.unboundedCount..<Int.max).contains($0) }
        return maxima.min().map { $0 - 1 } ?? Int.max
    }
}
