/// Decides which repetitions become copies of their atom, and which repetitions keep a counter.
///
/// Failures can only be recorded in copies, but nested counts multiply the number of copies. Each repetition, and all
/// repetitions together, may therefore add only a limited number of instructions.
enum Unrolling {
    /// For every repetition of `tree`, whether it is unrolled. The copies of one repetition may add `limit`
    /// instructions.
    static func plan(_ tree: PatternTree, _ analysis: PatternAnalysis, limit: Int) -> [Bool] {
        var result = [Bool](repeating: false, count: tree.repetitions.count)
        var sizes: [Int] = []
        sizes.reserveCapacity(tree.nodes.count)
        var remaining = limit * 16
        for node in tree.nodes {
            var size = 1
            switch node {
            case .sequence(let start, let end):
                size = tree.children[Int(start)..<Int(end)].reduce(0) { saturatingSum($0, sizes[Int($1)]) }
            case .alternation(let start, let end):
                size = tree.children[Int(start)..<Int(end)].reduce(0) { saturatingSum($0, sizes[Int($1)] + 2) }
            case .group(let body, _):
                size = saturatingSum(sizes[Int(body)], 2)
            case .repetition(let index):
                let repetition = tree.repetitions[Int(index)]
                let body = analysis[repetition.body]
                if isOneInstruction(tree[repetition.body]) || body.maximumLength == 0 {
                    result[Int(index)] = true
                    size = saturatingSum(sizes[Int(repetition.body)], 2)
                    break
                }
                let copies = copies(repetition, canBeEmpty: body.minimumLength == 0)
                let copy = saturatingSum(sizes[Int(repetition.body)], 5)
                let added = saturatingProduct(copy, copies - 1)
                size = saturatingSum(copy, 2)
                if added <= min(limit, remaining) {
                    result[Int(index)] = true
                    remaining -= added
                    size = saturatingSum(added, copy)
                }
            case .empty, .unit, .set, .lookaround, .backReference, .assertion: break
            }
            sizes.append(size)
        }
        return result
    }

    /// Whether a repetition of this atom becomes a run, which is a single instruction for any count.
    private static func isOneInstruction(_ node: PatternTree.Node) -> Bool {
        switch node {
        case .unit, .set: true
        default: false
        }
    }

    private static func copies(_ repetition: PatternTree.Repetition, canBeEmpty: Bool) -> Int {
        guard repetition.maximum == Int.max else { return max(1, repetition.maximum) }
        return canBeEmpty ? saturatingSum(repetition.minimum, 1) : max(1, repetition.minimum)
    }
}
