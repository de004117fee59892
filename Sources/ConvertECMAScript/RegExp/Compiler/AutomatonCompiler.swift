/// The tree of a regular pattern as an automaton.
///
/// A test asks only whether there is a match, so preferences and captures vanish, and with them the rule that an empty
/// iteration fails: whatever could follow it could follow the loop's head already.
struct AutomatonCompiler {
    /// Why a pattern gets no automaton.
    enum Obstacle: Error, Sendable, Equatable {
        case backReference, lookaround, tooLarge
    }

    private enum Task {
        case node(PatternTree.NodeIndex)
        case emit(Automaton.Instruction)
        case bind(UInt32)
    }

    private let tree: PatternTree
    private let analysis: PatternAnalysis
    private var code: [Automaton.Instruction] = []
    private var tasks: [Task] = []
    private var labels: [UInt32] = []
    private var sets: [CharacterSet] = []
    private var setNumbers: [CharacterSet: UInt32] = [:]
    private var hasContextualAssertions = false

    static func compile(
        _ tree: PatternTree, _ analysis: PatternAnalysis, _ prefilter: Prefilter
    ) -> Result<Automaton, Obstacle> {
        guard !analysis.hasBackReferences else { return .failure(.backReference) }
        guard !analysis.hasLookarounds else { return .failure(.lookaround) }
        guard size(of: tree, analysis) <= RegExpLimits.automatonInstructions else { return .failure(.tooLarge) }
        var compiler = AutomatonCompiler(tree: tree, analysis: analysis)
        let isAnchored = prefilter.isAnchored
        let top = isAnchored ? [tree.root] : compiler.withoutLeadingOptions(tree.root)
        compiler.run(top)
        guard let classes = UnitClasses(compiler.sets, assertions: compiler.hasContextualAssertions) else {
            return .failure(.tooLarge)
        }
        var prefix = isAnchored ? UnitLiteral() : PrefilterCompiler(tree: tree, analysis: analysis).prefix(of: top)
        prefix.formASCIIPrefix()
        let caps = tree.repetitions.lazy.map(\.maximum).filter { unboundedCounts.contains($0) }
        return .success(
            Automaton(
                code: compiler.code, classes: classes, isAnchored: isAnchored,
                hasAssertions: analysis[tree.root].hasAssertions,
                longestInput: caps.min().map { $0 - 1 } ?? Int.max, prefix: prefix, required: prefilter.required))
    }

    private init(tree: PatternTree, analysis: PatternAnalysis) {
        self.tree = tree
        self.analysis = analysis
    }

    /// Maxima taken for no bound at all: an iteration that counts consumes a unit, so only a longer input reaches them.
    private static let unboundedCounts = RegExpLimits.unboundedCount..<Int.max

    /// Bounds as far as acceptance is concerned: atoms that can be empty need no minimum.
    private static func bounds(
        _ repetition: PatternTree.Repetition, _ body: PatternAnalysis.Facts
    ) -> (minimum: Int, maximum: Int) {
        let maximum = repetition.maximum >= RegExpLimits.unboundedCount ? Int.max : repetition.maximum
        if body.maximumLength == 0 { return (min(repetition.minimum, 1), min(repetition.minimum, 1)) }
        return (body.minimumLength == 0 && !body.hasAssertions ? 0 : repetition.minimum, maximum)
    }

    /// Instructions that the whole tree takes.
    private static func size(of tree: PatternTree, _ analysis: PatternAnalysis) -> Int {
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
                let copies = maximum == Int.max ? saturatingSum(minimum, 1) : maximum
                size = saturatingProduct(saturatingSum(sizes[Int(repetition.body)], 2), copies)
            case .unit, .set, .assertion, .lookaround, .backReference: break
            }
            // Far from overflow, whatever is added next.
            sizes.append(min(size, Int.max / 4))
        }
        return sizes[Int(tree.root)]
    }

    /// The terms of `root` from the first one on that is not optional: where a search may start anywhere, `x*y` occurs
    /// where `y` does.
    private func withoutLeadingOptions(_ root: PatternTree.NodeIndex) -> [PatternTree.NodeIndex] {
        guard case .sequence(let start, let end) = tree[root] else { return [root] }
        return Array(
            tree.children[Int(start)..<Int(end)].drop { child in
                guard case .repetition(let index) = tree[child] else { return false }
                return tree.repetitions[Int(index)].minimum == 0
            })
    }

    private mutating func run(_ top: [PatternTree.NodeIndex]) {
        push(.emit(.match))
        tasks.append(contentsOf: top.reversed().map(Task.node))
        while let task = tasks.popLast() {
            switch task {
            case .emit(let instruction): code.append(instruction)
            case .bind(let label): labels[Int(label)] = UInt32(code.count)
            case .node(let index): compile(tree[index])
            }
        }
        for index in code.indices {
            switch code[index] {
            case .jump(let label): code[index] = .jump(labels[Int(label)])
            case .split(let first, let second): code[index] = .split(labels[Int(first)], labels[Int(second)])
            case .set, .assertion, .match: break
            }
        }
    }

    private mutating func compile(_ node: PatternTree.Node) {
        switch node {
        case .empty, .lookaround, .backReference: break
        case .unit(let unit): code.append(.set(number(of: CharacterSet(unit))))
        case .set(let set): code.append(.set(number(of: tree.sets[Int(set)])))
        case .assertion(let assertion):
            if assertion != .inputStart, assertion != .inputEnd { hasContextualAssertions = true }
            code.append(.assertion(assertion))
        case .group(let body, _): tasks.append(.node(body))
        case .sequence(let start, let end):
            for child in tree.children[Int(start)..<Int(end)].reversed() { tasks.append(.node(child)) }
        case .alternation(let start, let end):
            let exit = makeLabel()
            var list: [Task] = []
            for child in tree.children[Int(start)..<Int(end)].dropLast() {
                let (here, next) = (makeLabel(), makeLabel())
                list += [.emit(.split(here, next)), .bind(here), .node(child), .emit(.jump(exit)), .bind(next)]
            }
            list += [.node(tree.children[Int(end) - 1]), .bind(exit)]
            tasks.append(contentsOf: list.reversed())
        case .repetition(let index): compile(tree.repetitions[Int(index)])
        }
    }

    private mutating func compile(_ repetition: PatternTree.Repetition) {
        let (minimum, maximum) = Self.bounds(repetition, analysis[repetition.body])
        let exit = makeLabel()
        var list = [Task](repeating: .node(repetition.body), count: minimum)
        if maximum == Int.max {
            let (head, body) = (makeLabel(), makeLabel())
            list += [.bind(head), .emit(.split(body, exit)), .bind(body), .node(repetition.body), .emit(.jump(head))]
        } else {
            for _ in minimum..<maximum {
                let body = makeLabel()
                list += [.emit(.split(body, exit)), .bind(body), .node(repetition.body)]
            }
        }
        list.append(.bind(exit))
        tasks.append(contentsOf: list.reversed())
    }

    private mutating func push(_ list: Task...) { tasks.append(contentsOf: list.reversed()) }

    private mutating func makeLabel() -> UInt32 {
        labels.append(0)
        return UInt32(labels.count - 1)
    }

    private mutating func number(of set: CharacterSet) -> UInt32 {
        if let number = setNumbers[set] { return number }
        let number = UInt32(sets.count)
        sets.append(set)
        setNumbers[set] = number
        return number
    }
}
