/// Facts about every node for later stages, computed bottom-up in one pass.
struct PatternAnalysis: Sendable {
    /// Facts about one node. Lengths are in code units; `Int.max` means more than can be counted.
    struct Facts: Sendable {
        var minimumLength = 0
        var maximumLength = 0
        /// Every match starts at the input's start.
        var isAnchored = false
        /// The node contains an assertion or a lookaround, so its matches depend on the text around them.
        var hasAssertions = false
        /// The node contains a back reference.
        var hasReferences = false
    }

    private var facts: [Facts] = []

    init(_ tree: PatternTree) {
        facts.reserveCapacity(tree.nodes.count)
        for node in tree.nodes { facts.append(self.facts(of: node, in: tree)) }
    }

    subscript(index: PatternTree.NodeIndex) -> Facts { facts[Int(index)] }

    private mutating func facts(of node: PatternTree.Node, in tree: PatternTree) -> Facts {
        var result = Facts()
        switch node {
        case .empty: break
        case .unit, .set:
            result.minimumLength = 1
            result.maximumLength = 1
        case .sequence(let start, let end):
            let children = tree.children[Int(start)..<Int(end)]
            result.isAnchored = children.first.map { self[$0].isAnchored } ?? false
            for child in children {
                result.minimumLength = saturatingSum(result.minimumLength, self[child].minimumLength)
                result.maximumLength = saturatingSum(result.maximumLength, self[child].maximumLength)
                result.hasAssertions = result.hasAssertions || self[child].hasAssertions
                result.hasReferences = result.hasReferences || self[child].hasReferences
            }
        case .alternation(let start, let end):
            let children = tree.children[Int(start)..<Int(end)]
            result.minimumLength = Int.max
            result.isAnchored = true
            for child in children {
                result.minimumLength = min(result.minimumLength, self[child].minimumLength)
                result.maximumLength = max(result.maximumLength, self[child].maximumLength)
                result.isAnchored = result.isAnchored && self[child].isAnchored
                result.hasAssertions = result.hasAssertions || self[child].hasAssertions
                result.hasReferences = result.hasReferences || self[child].hasReferences
            }
        case .group(let body, _):
            result = self[body]
        case .repetition(let index):
            let repetition = tree.repetitions[Int(index)]
            let body = self[repetition.body]
            result.minimumLength = saturatingProduct(body.minimumLength, repetition.minimum)
            result.maximumLength = saturatingProduct(body.maximumLength, repetition.maximum)
            result.isAnchored = body.isAnchored && repetition.minimum > 0
            result.hasAssertions = body.hasAssertions
            result.hasReferences = body.hasReferences
        case .lookaround(let index):
            result.hasAssertions = true
            result.hasReferences = self[tree.lookarounds[Int(index)].body].hasReferences
        case .backReference:
            result.hasReferences = true
            result.maximumLength = Int.max
        case .assertion(let assertion):
            result.isAnchored = assertion == .inputStart
            result.hasAssertions = true
        }
        return result
    }
}

func saturatingSum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? Int.max : sum
}

func saturatingProduct(_ left: Int, _ right: Int) -> Int {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? Int.max : product
}
