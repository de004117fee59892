/// Finds in the tree what every match begins with and contains.
struct PrefilterCompiler {
    private let tree: PatternTree
    private let analysis: PatternAnalysis

    /// Nodes looked at: what is worth searching for stands at the top of the tree.
    private static let nodeLimit = 2_048
    private static let literalLimit = 64
    /// Shorter literals are not worth a scan of their own.
    private static let requiredMinimum = 3

    static func compile(_ tree: PatternTree, _ analysis: PatternAnalysis, isSticky: Bool) -> Prefilter {
        let compiler = PrefilterCompiler(tree: tree, analysis: analysis)
        var result = Prefilter()
        result.isAnchored = isSticky || analysis[tree.root].isAnchored
        result.minimumLength = analysis[tree.root].minimumLength
        let literals = compiler.literals()
        if !result.isAnchored {
            result.prefix = literals.prefix
            if result.prefix.count == 0 { result.firstUnits = compiler.firstUnits().map { UnitSets([$0]) } }
        }
        if literals.longest.count >= Self.requiredMinimum, literals.longest.count > result.prefix.count {
            result.required = literals.longest
        }
        return result
    }

    /// The literal at the beginning, and the longest one anywhere on the path that every match takes.
    private func literals() -> (prefix: Prefilter.Literal, longest: Prefilter.Literal) {
        var prefix: Prefilter.Literal?
        var longest = Prefilter.Literal()
        var current = Prefilter.Literal()
        func endLiteral() {
            if prefix == nil { prefix = current }
            if current.count > longest.count { longest = current }
            current = .init()
        }
        // `nil` ends a literal.
        var pending: [PatternTree.NodeIndex?] = [tree.root]
        var visited = 0
        while let next = pending.popLast(), visited < Self.nodeLimit {
            visited += 1
            guard let index = next else {
                endLiteral()
                continue
            }
            switch tree[index] {
            case .unit(let unit): current.append(unit, unit)
            case .set(let set):
                if let units = tree.sets[Int(set)].fewUnits, let first = units.first, let last = units.last {
                    current.append(first, last)
                } else {
                    endLiteral()
                }
            case .sequence(let start, let end):
                pending.append(contentsOf: tree.children[Int(start)..<Int(end)].reversed())
            case .group(let body, _): pending.append(body)
            case .repetition(let number):
                let repetition = tree.repetitions[Int(number)]
                if repetition.minimum > 0 { pending += [nil, repetition.body] } else { endLiteral() }
            case .alternation, .backReference: endLiteral()
            case .empty, .assertion, .lookaround: break
            }
            if current.count == Self.literalLimit { endLiteral() }
        }
        endLiteral()
        return (prefix ?? .init(), longest)
    }

    /// The units that a match can begin with, or `nil` if it can be empty or the tree is large.
    private func firstUnits() -> CharacterSet? {
        guard tree.nodes.count <= Self.nodeLimit, analysis[tree.root].minimumLength > 0 else { return nil }
        var sets: [CharacterSet] = []
        sets.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var set = CharacterSet.empty
            switch node {
            case .empty, .assertion, .lookaround: break
            case .unit(let unit): set = CharacterSet(unit)
            case .set(let index): set = tree.sets[Int(index)]
            case .backReference: set = .all
            case .group(let body, _): set = sets[Int(body)]
            case .repetition(let index): set = sets[Int(tree.repetitions[Int(index)].body)]
            case .sequence(let start, let end):
                for child in tree.children[Int(start)..<Int(end)] {
                    set = set.union(sets[Int(child)])
                    if analysis[child].minimumLength > 0 { break }
                }
            case .alternation(let start, let end):
                set = CharacterSet(ranges: tree.children[Int(start)..<Int(end)].flatMap { sets[Int($0)].ranges })
            }
            sets.append(set)
        }
        return sets[Int(tree.root)]
    }
}
