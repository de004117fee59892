/// Finds the lookarounds that a test can inline into the surrounding text.
///
/// If only the existence of a match matters, `a(?=b)` matches where `ab` matches, because nothing follows. Likewise
/// `(?<=b)a` matches where `ba` matches, if a match can begin anywhere.
enum InlinedLookarounds {
    /// Marks, by number, the positive lookaheads at the end of `root`.
    static func markTrailing(_ root: PatternTree.NodeIndex, in tree: PatternTree, _ marks: inout [Bool]) {
        mark(root, in: tree, isBehind: false, &marks)
    }

    /// Marks, by number, the positive lookbehinds at the beginning of `root`.
    static func markLeading(_ root: PatternTree.NodeIndex, in tree: PatternTree, _ marks: inout [Bool]) {
        mark(root, in: tree, isBehind: true, &marks)
    }

    private static func mark(
        _ root: PatternTree.NodeIndex, in tree: PatternTree, isBehind: Bool, _ marks: inout [Bool]
    ) {
        var pending = [root]
        while let node = pending.popLast() {
            switch tree[node] {
            case .sequence(let start, let end): pending.append(tree.children[Int(isBehind ? start : end - 1)])
            case .alternation(let start, let end): pending += tree.children[Int(start)..<Int(end)]
            case .group(let body, _): pending.append(body)
            case .lookaround(let index):
                let lookaround = tree.lookarounds[Int(index)]
                guard lookaround.isBehind == isBehind, !lookaround.isNegative else { break }
                marks[Int(index)] = true
                pending.append(lookaround.body)
            case .empty, .unit, .set, .repetition, .backReference, .assertion: break
            }
        }
    }
}
