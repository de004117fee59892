/// Derives the text with which every match begins, and text that every match contains, from the tree.
struct PrefilterCompiler {
    let tree: PatternTree
    let analysis: PatternAnalysis
    /// Whether the body of a lookaround, by number, counts as part of the text; `false` beyond the end of the list.
    var inlined: [Bool] = []

    /// The number of nodes examined. Literals that are worth a search are at the top of the tree.
    private static let nodeLimit = 2_048
    private static let prefixNodeLimit = 128
    private static let literalLimit = 64
    /// The depth of nested alternations that are searched for a common beginning of their alternatives.
    private static let depthLimit = 2
    private static let alternativeLimit = 32
    /// A shorter literal is not worth its own scan.
    private static let requiredMinimum = 3

    static func compile(_ tree: PatternTree, _ analysis: PatternAnalysis, isSticky: Bool) -> Prefilter {
        let compiler = PrefilterCompiler(tree: tree, analysis: analysis)
        var result = Prefilter()
        result.isAnchored = isSticky || analysis[tree.root].isAnchored
        result.minimumLength = analysis[tree.root].minimumLength
        if !result.isAnchored {
            result.prefix = compiler.literals(in: [tree.root], visiting: Self.nodeLimit).prefix
            if result.prefix.count == 0 { result.firstUnits = compiler.firstUnits() }
        }
        let required = compiler.required(of: tree.root)
        if required.count > result.prefix.count { result.required = required }
        return result
    }

    /// The literal at the beginning, and the longest literal on the path that every match takes.
    private func literals(
        in nodes: [PatternTree.NodeIndex], visiting limit: Int, depth: Int = 0
    ) -> (prefix: UnitLiteral, longest: UnitLiteral) {
        var prefix: UnitLiteral?
        var longest = UnitLiteral()
        var current = UnitLiteral()
        func endLiteral() {
            if prefix == nil { prefix = current }
            if current.count > longest.count { longest = current }
            current = .init()
        }
        // `nil` ends a literal.
        var pending: [PatternTree.NodeIndex?] = nodes.reversed()
        var visited = 0
        while let next = pending.popLast(), visited < limit {
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
            case .alternation(let start, let end):
                // The common beginning of all alternatives belongs to the literal before them.
                if depth < Self.depthLimit, prefix == nil {
                    current.append(contentsOf: commonPrefix(of: tree.children[Int(start)..<Int(end)], depth: depth + 1))
                }
                endLiteral()
            case .backReference: endLiteral()
            case .lookaround(let number):
                let isInlined = Int(number) < inlined.count && inlined[Int(number)]
                if isInlined { pending.append(tree.lookarounds[Int(number)].body) }
            case .empty, .assertion: break
            }
            if current.count == Self.literalLimit { endLiteral() }
        }
        endLiteral()
        return (prefix ?? .init(), longest)
    }

    /// A literal that every match of `node` contains; empty if no literal is worth a search.
    func required(of node: PatternTree.NodeIndex) -> UnitLiteral {
        let longest = literals(in: [node], visiting: Self.nodeLimit).longest
        return longest.count >= Self.requiredMinimum ? longest : UnitLiteral()
    }

    /// The literal at the beginning of `nodes`, which follow each other.
    func prefix(of nodes: [PatternTree.NodeIndex]) -> UnitLiteral {
        literals(in: nodes, visiting: Self.prefixNodeLimit).prefix
    }

    private func commonPrefix(of alternatives: ArraySlice<PatternTree.NodeIndex>, depth: Int) -> UnitLiteral {
        guard alternatives.count <= Self.alternativeLimit, let first = alternatives.first else { return .init() }
        var common = literals(in: [first], visiting: Self.prefixNodeLimit, depth: depth).prefix
        for alternative in alternatives.dropFirst() where common.count > 0 {
            common.formCommonPrefix(
                with: literals(in: [alternative], visiting: Self.prefixNodeLimit, depth: depth).prefix)
        }
        return common
    }

    /// The units with which a match can begin, or `nil` if a match can be empty.
    private func firstUnits() -> Prefilter.FirstUnits? {
        guard analysis[tree.root].minimumLength > 0 else { return nil }
        let sets = tree.sets.map(Prefilter.FirstUnits.init)
        let any = Prefilter.FirstUnits(.all)
        var units: [Prefilter.FirstUnits] = []
        units.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var result = Prefilter.FirstUnits(.empty)
            switch node {
            case .empty, .assertion, .lookaround: break
            case .unit(let unit): result = Prefilter.FirstUnits(CharacterSet(unit))
            case .set(let index): result = sets[Int(index)]
            case .backReference: result = any
            case .group(let body, _): result = units[Int(body)]
            case .repetition(let index): result = units[Int(tree.repetitions[Int(index)].body)]
            case .sequence(let start, let end):
                for child in tree.children[Int(start)..<Int(end)] {
                    result.formUnion(units[Int(child)])
                    if analysis[child].minimumLength > 0 { break }
                }
            case .alternation(let start, let end):
                for child in tree.children[Int(start)..<Int(end)] { result.formUnion(units[Int(child)]) }
            }
            units.append(result)
        }
        return units[Int(tree.root)]
    }
}
