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
        case alternatives([ArraySlice<PatternTree.NodeIndex>])
        case emit(Automaton.Instruction)
        case bind(UInt32)
    }

    private let tree: PatternTree
    private let analysis: PatternAnalysis
    private var code: [Automaton.Instruction] = []
    private var tasks: [Task] = []
    private var labels: [UInt32] = []
    private var sets: [CharacterSet] = []
    /// The numbers of sets by their index in the tree, and of single units.
    private var setNumbers: [UInt32: UInt32] = [:]
    private var unitNumbers: [UInt16: UInt32] = [:]
    private var hasContextualAssertions = false

    static func compile(
        _ tree: PatternTree, _ analysis: PatternAnalysis, _ prefilter: Prefilter
    ) -> Result<Automaton, Obstacle> {
        guard !analysis.hasBackReferences else { return .failure(.backReference) }
        guard !analysis.hasLookarounds else { return .failure(.lookaround) }
        // What the pattern spells out itself is welcome; it is counts that multiply.
        let limit = max(RegExpLimits.automatonInstructions, 2 * tree.nodes.count)
        // Alternatives that begin alike will share instructions, so this may be far too much.
        guard size(of: tree, analysis) <= 4 * limit else { return .failure(.tooLarge) }
        var compiler = AutomatonCompiler(tree: tree, analysis: analysis)
        let isAnchored = prefilter.isAnchored
        let top = isAnchored ? [tree.root] : compiler.withoutLeadingOptions(tree.root)
        guard compiler.run(top, limit: limit) else { return .failure(.tooLarge) }
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

    /// Instructions that the whole tree takes at most.
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

    /// Emits the code of `top`, and tells whether it took no more than `limit` instructions.
    private mutating func run(_ top: [PatternTree.NodeIndex], limit: Int) -> Bool {
        push(.emit(.match))
        tasks.append(contentsOf: top.reversed().map(Task.node))
        while let task = tasks.popLast() {
            guard code.count < limit else { return false }
            switch task {
            case .emit(let instruction): code.append(instruction)
            case .bind(let label): labels[Int(label)] = UInt32(code.count)
            case .node(let index): compile(index)
            case .alternatives(let alternatives): compile(alternatives)
            }
        }
        for index in code.indices {
            switch code[index] {
            case .jump(let label): code[index] = .jump(labels[Int(label)])
            case .split(let first, let second): code[index] = .split(labels[Int(first)], labels[Int(second)])
            case .set, .assertion, .match: break
            }
        }
        return true
    }

    private mutating func compile(_ node: PatternTree.NodeIndex) {
        switch tree[node] {
        case .empty, .lookaround, .backReference: break
        case .unit(let unit): code.append(.set(number(of: unit)))
        case .set(let set): code.append(.set(number(ofSet: set)))
        case .assertion(let assertion):
            if assertion != .inputStart, assertion != .inputEnd { hasContextualAssertions = true }
            code.append(.assertion(assertion))
        case .group(let body, _): tasks.append(.node(body))
        case .sequence(let start, let end):
            for child in tree.children[Int(start)..<Int(end)].reversed() { tasks.append(.node(child)) }
        case .alternation(let start, let end):
            tasks.append(.alternatives(tree.children[Int(start)..<Int(end)].map(terms)))
        case .repetition(let index): compile(tree.repetitions[Int(index)])
        }
    }

    /// The terms of `node`, one after the other.
    private func terms(_ node: PatternTree.NodeIndex) -> ArraySlice<PatternTree.NodeIndex> {
        if case .sequence(let start, let end) = tree[node] { return tree.children[Int(start)..<Int(end)] }
        return [node]
    }

    /// Alternatives, those with the same first unit or set together: which one is preferred makes no difference here,
    /// and of thousands of words only a few dozen beginnings remain.
    private mutating func compile(_ alternatives: [ArraySlice<PatternTree.NodeIndex>]) {
        var groups: [(first: PatternTree.NodeIndex?, rests: [ArraySlice<PatternTree.NodeIndex>])] = []
        var groupOfSet: [UInt32: Int] = [:]
        var groupOfUnit: [UInt16: Int] = [:]
        for alternative in alternatives {
            let known: Int?
            switch alternative.first.map({ tree[$0] }) {
            case .unit(let unit):
                known = groupOfUnit[unit]
                if known == nil { groupOfUnit[unit] = groups.count }
            case .set(let set):
                known = groupOfSet[set]
                if known == nil { groupOfSet[set] = groups.count }
            default:
                groups.append((nil, [alternative]))
                continue
            }
            if let known {
                groups[known].rests.append(alternative.dropFirst())
            } else {
                groups.append((alternative.first, [alternative.dropFirst()]))
            }
        }
        let exit = makeLabel()
        var list: [Task] = []
        for (index, group) in groups.enumerated() {
            let next = index + 1 < groups.count ? makeLabel() : nil
            if let next {
                let here = makeLabel()
                list += [.emit(.split(here, next)), .bind(here)]
            }
            if let first = group.first { list.append(.node(first)) }
            if group.rests.count > 1 {
                list.append(.alternatives(group.rests))
            } else {
                list += group.rests.joined().map(Task.node)
            }
            if let next { list += [.emit(.jump(exit)), .bind(next)] }
        }
        list.append(.bind(exit))
        tasks.append(contentsOf: list.reversed())
    }

    /// `repetition`, and the repetitions that its atom consists of, as one where that accepts the same: `(?:x*)+` is `x*`,
    /// and `(?:x?){3}` is `x{0,3}`.
    private func joined(_ repetition: PatternTree.Repetition) -> PatternTree.Repetition {
        var result = repetition
        while true {
            var body = tree[result.body]
            while case .group(let inside, _) = body { body = tree[inside] }
            guard case .repetition(let index) = body else { return result }
            let inner = tree.repetitions[Int(index)]
            let isOption = inner.minimum == 0 && inner.maximum == 1
            let isLoop = result.maximum == Int.max && result.minimum <= 1 && inner.minimum <= 1 && inner.maximum > 0
            guard isOption || isLoop else { return result }
            result.body = inner.body
            result.minimum = min(result.minimum, inner.minimum)
        }
    }

    private mutating func compile(_ repetition: PatternTree.Repetition) {
        let repetition = joined(repetition)
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

    private mutating func number(ofSet index: UInt32) -> UInt32 {
        if let number = setNumbers[index] { return number }
        let number = UInt32(sets.count)
        sets.append(tree.sets[Int(index)])
        setNumbers[index] = number
        return number
    }

    private mutating func number(of unit: UInt16) -> UInt32 {
        if let number = unitNumbers[unit] { return number }
        let number = UInt32(sets.count)
        sets.append(CharacterSet(unit))
        unitNumbers[unit] = number
        return number
    }
}
