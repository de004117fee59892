/// Compiles the tree of one body to the instructions of an automaton.
///
/// A test only asks whether there is a match, so preferences and captures are dropped. The rule that an empty iteration
/// fails is dropped too: anything that can follow the iteration can already follow the loop's head.
struct AutomatonCodeCompiler {
    private enum Task {
        case node(PatternTree.NodeIndex)
        case alternatives([ArraySlice<PatternTree.NodeIndex>])
        case emit(Automaton.Instruction)
        case bind(UInt32)
    }

    private let tree: PatternTree
    private let analysis: PatternAnalysis
    /// Whether a lookaround, by number, is compiled as part of the surrounding text.
    private let inlined: [Bool]
    /// Whether the automaton reads its input from right to left.
    private let isBackward: Bool
    private var numbering: SetNumbering
    private var code = Automaton.Code()
    private var lookNumbers: [UInt32: UInt32] = [:]
    private var tasks: [Task] = []
    private var labels: [UInt32] = []

    /// The code of `top`, or `nil` if it takes `limit` instructions or more.
    static func compile(
        _ top: [PatternTree.NodeIndex], in tree: PatternTree, _ analysis: PatternAnalysis, inlined: [Bool],
        isBackward: Bool, numbering: inout SetNumbering, limit: Int
    ) -> Automaton.Code? {
        var compiler = AutomatonCodeCompiler(
            tree: tree, analysis: analysis, inlined: inlined, isBackward: isBackward, numbering: numbering)
        // Clear the caller's numbering first: otherwise the first change copies all of it.
        numbering = SetNumbering()
        guard compiler.run(top, limit: limit) else { return nil }
        numbering = compiler.numbering
        return compiler.code
    }

    private init(
        tree: PatternTree, analysis: PatternAnalysis, inlined: [Bool], isBackward: Bool, numbering: SetNumbering
    ) {
        self.tree = tree
        self.analysis = analysis
        self.inlined = inlined
        self.isBackward = isBackward
        self.numbering = numbering
    }

    /// Emits the code of `top`. Returns whether it took fewer than `limit` instructions.
    private mutating func run(_ top: [PatternTree.NodeIndex], limit: Int) -> Bool {
        push(.emit(.match))
        tasks.append(contentsOf: (isBackward ? top : top.reversed()).map(Task.node))
        while let task = tasks.popLast() {
            guard code.instructions.count < limit else { return false }
            switch task {
            case .emit(let instruction): code.instructions.append(instruction)
            case .bind(let label): labels[Int(label)] = UInt32(code.instructions.count)
            case .node(let index): compile(index)
            case .alternatives(let alternatives): compile(alternatives)
            }
        }
        for index in code.instructions.indices {
            switch code.instructions[index] {
            case .jump(let label): code.instructions[index] = .jump(labels[Int(label)])
            case .split(let first, let second):
                code.instructions[index] = .split(labels[Int(first)], labels[Int(second)])
            case .set, .assertion, .look, .match: break
            }
        }
        return true
    }

    private mutating func compile(_ node: PatternTree.NodeIndex) {
        switch tree[node] {
        case .empty, .backReference: break
        case .unit(let unit): code.instructions.append(.set(numbering.number(of: unit)))
        case .set(let set): code.instructions.append(.set(numbering.number(ofSet: set, in: tree)))
        case .assertion(let assertion):
            numbering.note(assertion)
            code.instructions.append(.assertion(isBackward ? assertion.mirrored : assertion))
        case .lookaround(let index): compileLookaround(index)
        case .group(let body, _): tasks.append(.node(body))
        case .sequence(let start, let end):
            let children = tree.children[Int(start)..<Int(end)]
            if isBackward {
                for child in children { tasks.append(.node(child)) }
            } else {
                for child in children.reversed() { tasks.append(.node(child)) }
            }
        case .alternation(let start, let end):
            tasks.append(.alternatives(tree.children[Int(start)..<Int(end)].map(terms)))
        case .repetition(let index): compile(tree.repetitions[Int(index)])
        }
    }

    private mutating func compileLookaround(_ index: UInt32) {
        let lookaround = tree.lookarounds[Int(index)]
        if inlined[Int(index)] { return tasks.append(.node(lookaround.body)) }
        let number = lookNumbers[index] ?? UInt32(code.looks.count)
        if lookNumbers.updateValue(number, forKey: index) == nil { code.looks.append(Int(index)) }
        code.instructions.append(.look(number, isNegative: lookaround.isNegative))
    }

    /// The terms of `node`, in the order in which they are read.
    private func terms(_ node: PatternTree.NodeIndex) -> ArraySlice<PatternTree.NodeIndex> {
        guard case .sequence(let start, let end) = tree[node] else { return [node] }
        let terms = tree.children[Int(start)..<Int(end)]
        return isBackward ? ArraySlice(terms.reversed()) : terms
    }

    /// Compiles alternatives, and merges alternatives that begin with the same unit or set. The order of preference
    /// does not matter in a test, and thousands of words begin with only a few dozen units.
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

    /// Merges `repetition` with the repetition that is its atom, if the result accepts the same texts: `(?:x*)+`
    /// becomes `x*`, and `(?:x?){3}` becomes `x{0,3}`.
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
        let (minimum, maximum) = AutomatonSize.bounds(repetition, analysis[repetition.body])
        let exit = makeLabel()
        // The last mandatory iteration is also the loop's body, so that the sizes of nested loops add up instead of
        // multiplying.
        let endsInLoop = maximum == Int.max && minimum > 0
        var list = [Task](repeating: .node(repetition.body), count: endsInLoop ? minimum - 1 : minimum)
        if endsInLoop {
            let body = makeLabel()
            list += [.bind(body), .node(repetition.body), .emit(.split(exit, body))]
        } else if maximum == Int.max {
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
}

extension PatternTree.Assertion {
    /// The assertion for a reader from right to left.
    fileprivate var mirrored: Self {
        switch self {
        case .inputStart: .inputEnd
        case .inputEnd: .inputStart
        case .lineStart: .lineEnd
        case .lineEnd: .lineStart
        case .wordBoundary, .notWordBoundary, .foldedWordBoundary, .notFoldedWordBoundary, .pointBoundary: self
        }
    }
}
