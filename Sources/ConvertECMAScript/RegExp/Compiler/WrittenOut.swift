/// Repetitions written out as copies of their atoms, for the linear matcher, which does not count.
enum WrittenOut {
    /// A program without counts has no more instructions than so many times the pattern's nodes.
    static let mostPerNode = 8

    /// The bounds of `repetition` in such a program: a maximum that only longer inputs than the automata's reach is left out.
    static func bounded(
        _ repetition: PatternTree.Repetition, _ analysis: PatternAnalysis
    ) -> PatternTree.Repetition {
        var result = repetition
        if result.maximum >= RegExpLimits.unboundedCount { result.maximum = Int.max }
        return result
    }

    /// Instructions of the program of `tree`.
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
                size = tree.children[Int(start)..<Int(end)].reduce(-2) { saturatingSum($0, sizes[Int($1)] + 2) }
            case .group(let body, _): size = sizes[Int(body)] + 2
            case .repetition(let index):
                let repetition = bounded(tree.repetitions[Int(index)], analysis)
                size = self.size(of: repetition, body: sizes[Int(repetition.body)], analysis[repetition.body])
            case .backReference: size = 3
            case .unit, .set, .assertion, .lookaround: break
            }
            // Far from overflow, whatever is added next.
            sizes.append(min(size, Int.max / 4))
        }
        return tree.lookarounds.reduce(saturatingSum(sizes[Int(tree.root)], 3)) { sum, lookaround in
            saturatingSum(sum, sizes[Int(lookaround.body)] + 1)
        }
    }

    private static func size(
        of repetition: PatternTree.Repetition, body: Int, _ facts: PatternAnalysis.Facts
    ) -> Int {
        let iteration = body + (repetition.groups.isEmpty ? 0 : 1)
        if facts.maximumLength == 0 { return repetition.minimum > 0 ? iteration : 0 }
        let canBeEmpty = facts.minimumLength == 0
        if repetition.maximum == Int.max, repetition.minimum > 0, !canBeEmpty {
            return saturatingSum(saturatingProduct(iteration, repetition.minimum), 1)
        }
        let isUnbounded = repetition.maximum == Int.max
        let optional = isUnbounded ? 1 : repetition.maximum - repetition.minimum
        return saturatingSum(
            saturatingProduct(iteration, repetition.minimum),
            saturatingProduct(iteration + (isUnbounded ? 2 : 1) + (canBeEmpty ? 2 : 0), optional))
    }
}
