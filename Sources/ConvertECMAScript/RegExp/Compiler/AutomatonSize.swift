/// How large a tree's automata become, known before they are compiled.
enum AutomatonSize {
    /// Bounds as far as acceptance is concerned: atoms that can be empty need no minimum.
    static func bounds(
        _ repetition: PatternTree.Repetition, _ body: PatternAnalysis.Facts
    ) -> (minimum: Int, maximum: Int) {
        let maximum = repetition.maximum >= RegExpLimits.unboundedCount ? Int.max : repetition.maximum
        if body.maximumLength == 0 { return (min(repetition.minimum, 1), min(repetition.minimum, 1)) }
        return (body.minimumLength == 0 && !body.hasAssertions ? 0 : repetition.minimum, maximum)
    }

    /// Instructions that the whole tree takes at most, those of its lookarounds included.
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
            // Far from overflow, whatever is added next.
            sizes.append(min(size, Int.max / 4))
        }
        // A body has up to two automata, however often the lookaround itself is repeated.
        return tree.lookarounds.reduce(sizes[Int(tree.root)]) { sum, lookaround in
            saturatingSum(sum, saturatingProduct(2, sizes[Int(lookaround.body)]))
        }
    }
}

extension PatternTree {
    /// The longest input for which maxima from `RegExpLimits.unboundedCount` on are as good as none: an iteration that
    /// counts consumes a unit, so only a longer input reaches them.
    var longestUncountedInput: Int {
        let maxima = repetitions.lazy.map(\.maximum).filter { (RegExpLimits.unboundedCount..<Int.max).contains($0) }
        return maxima.min().map { $0 - 1 } ?? Int.max
    }
}
