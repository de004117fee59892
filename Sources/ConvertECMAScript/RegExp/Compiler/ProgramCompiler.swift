/// CompilePattern (ECMA-262, 22.2.2.2) for the backtracking executor: compiles the tree to a program.
///
/// Pending work is on a stack of tasks, so the depth of the tree takes no call stack. Targets are labels until `link`
/// knows their instructions. The body of each lookaround follows the pattern, and is compiled once.
struct ProgramCompiler {
    /// How repetitions are compiled.
    enum Form {
        /// Copies of the atom, if the copies of one repetition add at most this many instructions; otherwise a counter.
        /// A repeated set is one instruction.
        case counting(unrolledInstructions: Int)
        /// Always copies, within the limits of `WrittenOut`. A back reference becomes any text, and a negative
        /// lookaround with a back reference is dropped, so that the program matches wherever the pattern matches.
        case writtenOut
    }

    /// Which part of a node is compiled, and in which direction.
    struct Way {
        /// Whether the code reads from right to left.
        var isBackward: Bool
        /// Whether only the matches that consume nothing are compiled, for nodes that can be empty.
        var isEmpty = false
    }

    enum Task {
        case node(PatternTree.NodeIndex, Way)
        case emit(Instruction)
        case bind(Label)
        case enterLoop(canBeEmpty: Bool, isCounted: Bool)
        case leaveLoop(canBeEmpty: Bool, isCounted: Bool)
    }

    typealias Label = UInt32

    let tree: PatternTree
    let analysis: PatternAnalysis
    let isWrittenOut: Bool
    /// Whether a repetition, by its index, becomes copies of its atom; used for the form `counting`.
    let unrolls: [Bool]
    private var code: [Instruction] = []
    private var main = 0..<0
    var runs: [Program.Run] = []
    var loops: [Program.Loop] = []
    private var lookarounds: [Program.Lookaround] = []
    private var references: [Program.Reference] = []
    /// The groups of each range of the tree's references, by the start of the range.
    private var groupLists: [UInt32: [Int]] = [:]
    /// Number of registers: two for each group from 0 on, then counters and other state.
    private var registerCount: Int
    var tasks: [Task] = []
    private var labels: [UInt32] = []
    private var memory = FailureScopes()
    var sets: [CharacterSet]
    var unitSets: [UInt16: UInt32] = [:]

    /// Compiles the program of `tree` for the backtracker.
    ///
    /// - Parameter unrolledInstructions: the number of instructions that the copies of one repetition may add.
    static func compile(
        _ tree: PatternTree, _ analysis: PatternAnalysis,
        unrolledInstructions: Int = RegExpLimits.unrolledInstructions
    ) -> Program {
        var compiler = ProgramCompiler(tree, analysis, .counting(unrolledInstructions: unrolledInstructions))
        compiler.run()
        return compiler.program
    }

    /// Compiles `tree` without counters and runs; `nil` if the program has more than `limit` instructions.
    static func compileWrittenOut(_ tree: PatternTree, _ analysis: PatternAnalysis, limit: Int) -> Program? {
        guard WrittenOut.size(of: tree, analysis) <= limit else { return nil }
        var compiler = ProgramCompiler(tree, analysis, .writtenOut)
        compiler.run()
        return compiler.program
    }

    private init(_ tree: PatternTree, _ analysis: PatternAnalysis, _ form: Form) {
        self.tree = tree
        self.analysis = analysis
        (isWrittenOut, unrolls) =
            switch form {
            case .counting(let limit): (false, Unrolling.plan(tree, analysis, limit: limit))
            case .writtenOut: (true, [])
            }
        sets = tree.sets
        registerCount = 2 * (tree.groupCount + 1)
    }

    private var program: Program {
        Program(
            code: code, main: main, runs: runs, loops: loops, lookarounds: lookarounds, references: references,
            sets: UnitSets(sets), leadingRun: leadingRun, registerCount: registerCount, groupCount: tree.groupCount)
    }

    private var leadingRun: Program.Run? {
        let first = code.first { if case .save = $0 { false } else { true } }
        guard case .run(let number)? = first else { return nil }
        let run = runs[Int(number)]
        return run.remembers && run.maximum == Int.max && !run.isBackward ? run : nil
    }

    private mutating func run() {
        emit(.save(0))
        complete(.node(tree.root, Way(isBackward: false)), .emit(.save(1)), .emit(.match))
        main = 0..<code.count
        for (number, lookaround) in tree.lookarounds.enumerated() {
            let start = code.count
            memory.beginLookaround()
            complete(
                .node(lookaround.body, Way(isBackward: lookaround.isBehind)), .emit(.endLook(UInt32(number))))
            lookarounds.append(
                .init(
                    isBehind: lookaround.isBehind, isNegative: lookaround.isNegative, height: makeRegister(),
                    body: start..<code.count))
        }
        link()
    }

    /// Performs the tasks in `list`, and all tasks that they add.
    private mutating func complete(_ list: Task...) {
        tasks.append(contentsOf: list.reversed())
        while let task = tasks.popLast() { perform(task) }
    }

    private mutating func perform(_ task: Task) {
        switch task {
        case .emit(let instruction): emit(instruction)
        case .bind(let label): labels[Int(label)] = UInt32(code.count)
        case .enterLoop(let canBeEmpty, let isCounted): memory.enterLoop(canBeEmpty: canBeEmpty, isCounted: isCounted)
        case .leaveLoop(let canBeEmpty, let isCounted):
            memory.leaveLoop(canBeEmpty: canBeEmpty, isCounted: isCounted, at: code.count)
        case .node(let index, let way): compile(tree[index], way)
        }
    }

    private mutating func compile(_ node: PatternTree.Node, _ way: Way) {
        let backward = way.isBackward
        switch node {
        case .empty: break
        case .unit(let unit): emit(.unit(unit, backward: backward))
        case .set(let set):
            if let units = tree.sets[Int(set)].fewUnits, let first = units.first, let last = units.last {
                emit(.pair(first, last, backward: backward))
            } else {
                emit(.set(set, backward: backward))
            }
        case .assertion(let assertion): emit(.assertion(assertion))
        case .sequence(let start, let end):
            let children = tree.children[Int(start)..<Int(end)]
            // The task that is appended first is performed last.
            if backward {
                for child in children { tasks.append(.node(child, way)) }
            } else {
                for child in children.reversed() { tasks.append(.node(child, way)) }
            }
        case .alternation(let start, let end):
            compileAlternation(tree.children[Int(start)..<Int(end)], way)
        case .group(let body, let number):
            let (first, last) = backward ? (2 * number + 1, 2 * number) : (2 * number, 2 * number + 1)
            push(.emit(.save(first)), .node(body, way), .emit(.save(last)))
        case .repetition(let index):
            compileRepetition(Int(index), way)
        case .lookaround(let index):
            let lookaround = tree.lookarounds[Int(index)]
            let hasReferences = analysis[lookaround.body].hasReferences
            if isWrittenOut, hasReferences, lookaround.isNegative { break }
            if hasReferences { memory.noteReference(at: code.count) }
            emit(.look(index))
        case .backReference where way.isEmpty: break
        case .backReference where isWrittenOut: compileAnyText(backward: backward)
        case .backReference(let start, let end, let ignoreCase):
            // All references to a name share one list.
            let groups = groupLists[start] ?? tree.references[Int(start)..<Int(end)].map(Int.init)
            groupLists[start] = groups
            memory.noteReference(at: code.count)
            references.append(
                .init(groups: groups, ignoreCase: ignoreCase, isUnicode: tree.isUnicode, isBackward: backward))
            emit(.backReference(UInt32(references.count - 1)))
        }
    }

    private mutating func compileAnyText(backward: Bool) {
        let (head, body, exit) = (makeLabel(), makeLabel(), makeLabel())
        let any = UInt32(sets.count)
        sets.append(.all)
        push(
            .bind(head), .emit(.split(body, exit, remembers: false)), .bind(body), .emit(.set(any, backward: backward)),
            .emit(.jump(head)), .bind(exit))
    }

    private mutating func compileAlternation(_ alternatives: ArraySlice<PatternTree.NodeIndex>, _ way: Way) {
        let alternatives = way.isEmpty ? alternatives.filter { analysis[$0].minimumLength == 0 } : Array(alternatives)
        let exit = makeLabel()
        var list: [Task] = []
        for alternative in alternatives.dropLast() {
            let (here, next) = (makeLabel(), makeLabel())
            list += [.emit(.split(here, next, remembers: false)), .bind(here), .node(alternative, way)]
            list += [.emit(.jump(exit)), .bind(next)]
        }
        if let last = alternatives.last { list += [.node(last, way), .bind(exit)] }
        tasks.append(contentsOf: list.reversed())
    }
}

/// Emitting and linking.
extension ProgramCompiler {
    mutating func push(_ list: Task...) { tasks.append(contentsOf: list.reversed()) }

    mutating func emit(_ instruction: Instruction) {
        switch instruction {
        case .split, .run: memory.noteChoice(at: code.count)
        default: break
        }
        code.append(instruction)
    }

    mutating func makeLabel() -> Label {
        labels.append(0)
        return Label(labels.count - 1)
    }

    mutating func makeRegister() -> UInt32 {
        registerCount += 1
        return UInt32(registerCount - 1)
    }

    /// Replaces labels by their instructions, and marks the choices whose failures may be recorded.
    private mutating func link() {
        for index in loops.indices {
            loops[index].head = labels[Int(loops[index].head)]
            loops[index].body = labels[Int(loops[index].body)]
            loops[index].exit = labels[Int(loops[index].exit)]
        }
        for index in code.indices {
            switch code[index] {
            case .jump(let label): code[index] = .jump(labels[Int(label)])
            case .split(let first, let second, _):
                code[index] = .split(labels[Int(first)], labels[Int(second)], remembers: false)
            default: break
            }
        }
        for index in memory.rememberedChoices {
            switch code[index] {
            case .split(let first, let second, _): code[index] = .split(first, second, remembers: true)
            case .run(let run): runs[Int(run)].remembers = true
            default: break
            }
        }
    }
}
