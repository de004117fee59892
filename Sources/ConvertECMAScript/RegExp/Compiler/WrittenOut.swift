/// Repetitions that are written out as copies of their atoms, for the linear matcher, which cannot count.
enum WrittenOut {
    /// The maximum number of instructions of a program without counts, for each node of the pattern.
    static let mostPerNode = 8

    /// The form of `repetition` in such a program. It finds the same matches in the same order, with fewer copies.
    ///
    /// A maximum is dropped if only inputs that are too long for the automata can reach it. If no captures distinguish
    /// the iterations, an atom that is itself a repetition is merged, as in an automaton, and a greedy loop needs no
    /// iterations that can be empty.
    static func simplified(
        _ repetition: PatternTree.Repetition, in tree: PatternTree, _ analysis: PatternAnalysis
    ) -> PatternTree.Repetition {
        var result = repetition
        if result.maximum >= RegExpLimits.unboundedCount { result.maximum = Int.max }
        guard result.groups.isEmpty else { return result }
        while case .repetition(let index) = tree[result.body] {
            let inner = tree.repetitions[Int(index)]
            guard inner.isGreedy == result.isGreedy, analysis[inner.body].minimumLength > 0 else { break }
            // A lazy option with a minimum is not merged: its mandatory iterations prefer to be empty, beginning with
            // the last.
            let isOption = inner.minimum == 0 && inner.maximum == 1 && (result.isGreedy || result.minimum == 0)
            let isLoop = result.maximum == Int.max && result.minimum <= 1 && inner.minimum <= 1 && inner.maximum > 0
            guard isOption || isLoop else { break }
            result.body = inner.body
            result.minimum = min(result.minimum, inner.minimum)
        }
        let body = analysis[result.body]
        let canBeEmptyAnywhere = body.minimumLength == 0 && !body.hasAssertions
        if canBeEmptyAnywhere, result.isGreedy, result.maximum == Int.max { result.minimum = 0 }
        return result
    }

    /// The number of instructions for `tree`.
    static func size(of tree: PatternTree, _ analysis: PatternAnalysis) -> Int {
        var sizes: [Int] = []
        sizes.reserveCapacity(tree.nodes.count)
        // The sizes of the parts that consume nothing.
        var emptySizes: [Int] = []
        emptySizes.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var (size, emptySize) = (1, 0)
            switch node {
            case .empty: size = 0
            case .sequence(let start, let end):
                for child in tree.children[Int(start)..<Int(end)] {
                    size = saturatingSum(size, sizes[Int(child)])
                    emptySize = saturatingSum(emptySize, emptySizes[Int(child)])
                }
                size -= 1
            case .alternation(let start, let end):
                var isFirst = true
                for child in tree.children[Int(start)..<Int(end)] {
                    size = saturatingSum(size, sizes[Int(child)] + 2)
                    guard analysis[child].minimumLength == 0 else { continue }
                    emptySize = saturatingSum(emptySize, emptySizes[Int(child)] + (isFirst ? 0 : 2))
                    isFirst = false
                }
                size -= 3
            case .group(let body, _): (size, emptySize) = (sizes[Int(body)] + 2, emptySizes[Int(body)] + 2)
            case .repetition(let index):
                let repetition = tree.repetitions[Int(index)]
                let reset = repetition.groups.isEmpty ? 0 : 1
                if repetition.minimum > 0 { emptySize = emptySizes[Int(repetition.body)] + reset }
                let written = simplified(repetition, in: tree, analysis)
                let body = Int(written.body)
                size = self.size(
                    of: written, iteration: sizes[body] + reset, emptyIteration: emptySizes[body] + reset,
                    analysis[written.body])
            case .backReference: size = 3
            case .assertion, .lookaround: emptySize = 1
            case .unit, .set: break
            }
            // Far below the limit, so that no following addition overflows.
            sizes.append(min(size, Int.max / 4))
            emptySizes.append(min(emptySize, Int.max / 4))
        }
        return tree.lookarounds.reduce(saturatingSum(sizes[Int(tree.root)], 3)) { sum, lookaround in
            saturatingSum(sum, sizes[Int(lookaround.body)] + 1)
        }
    }

    private static func size(
        of repetition: PatternTree.Repetition, iteration: Int, emptyIteration: Int, _ facts: PatternAnalysis.Facts
    ) -> Int {
        if facts.maximumLength == 0 { return repetition.minimum > 0 ? iteration : 0 }
        let canBeEmpty = facts.minimumLength == 0
        let mandatory = saturatingProduct(iteration, repetition.minimum)
        // A choice, and the start and the check of an iteration that may not be empty.
        let optional = iteration + (canBeEmpty ? 3 : 1)
        guard repetition.maximum == Int.max else {
            return saturatingSum(mandatory, saturatingProduct(optional, repetition.maximum - repetition.minimum))
        }
        guard repetition.minimum > 0 else { return optional + 1 }
        guard canBeEmpty else { return saturatingSum(mandatory, 1) }
        return saturatingSum(mandatory, repetition.isGreedy ? 4 + emptyIteration : 2)
    }
}
