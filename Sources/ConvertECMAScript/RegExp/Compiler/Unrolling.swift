/// Which repetitions become copies of their atom, and which keep a counter.
///
/// Copies are what makes recording failures possible, but nested counts multiply; so each repetition, and all of them
/// together, may only add so many instructions.
enum Unrolling {
    /// For every repetition of `tree`, whether it is unrolled in a program of that form.
    static func plan(_ tree: PatternTree, _ analysis: PatternAnalysis, _ form: ProgramCompiler.Form) -> [Bool] {
        var result = [Bool](repeating: false, count: tree.repetitions.count)
        var sizes: [Int] = []
        sizes.reserveCapacity(tree.nodes.count)
        let (limit, hasRuns) =
            switch form {
            case .counting(let limit): (limit, true)
            case .writtenOut(let limit): (limit, false)
            }
        var remaining = hasRuns ? limit * 16 : limit
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
                if hasRuns && isOneInstruction(tree[repetition.body]) || analysis[repetition.body].maximumLength == 0 {
                    result[Int(index)] = true
                    size = saturatingSum(sizes[Int(repetition.body)], 2)
                    break
                }
                let copies = copies(repetition, hasRuns: hasRuns)
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

    /// Repeated, such an atom is a run: one instruction, however often.
    private static func isOneInstruction(_ node: PatternTree.Node) -> Bool {
        switch node {
        case .unit, .set: true
        default: false
        }
    }

    private static func copies(_ repetition: PatternTree.Repetition, hasRuns: Bool) -> Int {
        let isUnbounded = repetition.maximum >= (hasRuns ? Int.max : RegExpLimits.unboundedCount)
        let copies = isUnbounded ? saturatingSum(repetition.minimum, 1) : repetition.maximum
        return max(1, copies)
    }
}
