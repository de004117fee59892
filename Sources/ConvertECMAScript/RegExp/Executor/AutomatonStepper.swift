/// Performs one step of an automaton: from the live instructions at a position to the live instructions at the next.
///
/// The set of live instructions includes everything that is reachable without consuming. Looks, and assertions about
/// the next unit, stay in the set until the step in which the unit is known. The lazy DFA caches the results.
struct AutomatonStepper {
    /// The live instructions, without duplicates and in no order: consuming instructions, waiting assertions and looks;
    /// and for an automaton with the purpose `table`, its end.
    var alive: [UInt32] = []
    /// The context before the position, for the waiting assertions.
    var context = Automaton.Context.edge
    /// Whether the last closure reached the end of the pattern. For an automaton with the purpose `table`: whether a
    /// match ends at the position before the last step, which may depend on the unit that the step consumed.
    private(set) var hasMatched = false
    /// One bit for each look of the automaton: whether its body matches at the position. Set the bits before a step.
    var truths: [UInt64] = []
    /// Instructions visited since the last call of ``takeVisits()``.
    private var work = 0

    private var previous: [UInt32] = []
    private var pending: [UInt32] = []
    /// For each instruction the closure in which it was last visited.
    private var visits: [UInt32] = []
    private var visit: UInt32 = 0

    /// Returns the number of instructions visited since the last call.
    @inline(__always)
    mutating func takeVisits() -> Int {
        defer { work = 0 }
        return work
    }

    /// Starts at a position after `context`, without a begun match.
    mutating func start(_ automaton: Automaton, after context: Automaton.Context) {
        if visits.isEmpty {
            visits = [UInt32](repeating: 0, count: automaton.code.count)
            truths = [UInt64](repeating: 0, count: (automaton.looks.count + 63) / 64)
        }
        self.context = context
        alive.removeAll(keepingCapacity: true)
        beginClosure()
        close(0, in: automaton, next: nil)
    }

    /// Consumes a unit of the class `column`, or the end of the input.
    mutating func advance(_ automaton: Automaton, column: Int) {
        let isEnd = column == automaton.endColumn
        let next = isEnd ? .edge : automaton.classes.contexts[column]
        let isTable = automaton.purpose == .table
        if automaton.hasAssertions || isTable {
            decideAssertions(automaton, next: next)
            if hasMatched, !isTable { return }
        }
        let hasMatchedBefore = hasMatched
        defer { if isTable { hasMatched = hasMatchedBefore } }
        context = next
        beginClosure()
        swap(&alive, &previous)
        alive.removeAll(keepingCapacity: true)
        guard !isEnd else { return }
        for index in previous {
            if case .set(let set) = automaton.code[Int(index)], automaton.classes.contains(column, in: set) {
                close(index + 1, in: automaton, next: nil)
            }
        }
        if !automaton.isAnchored { close(0, in: automaton, next: nil) }
        work += previous.count
    }

    /// Adds the instructions after waiting assertions to `alive`, now that the next unit is known.
    private mutating func decideAssertions(_ automaton: Automaton, next: Automaton.Context) {
        beginClosure()
        swap(&alive, &previous)
        alive.removeAll(keepingCapacity: true)
        for index in previous { close(index, in: automaton, next: next) }
    }

    /// The approximate size of the lists in bytes. They can be as long as the automaton.
    @inline(__always)
    var heldBytes: Int { 16 * visits.count }

    /// Whether the body of a look matches at the position.
    @inline(__always)
    func isTrue(_ look: UInt32) -> Bool { truths[Int(look) >> 6] >> UInt64(look & 63) & 1 != 0 }

    private mutating func beginClosure() {
        hasMatched = false
        visit &+= 1
        if visit == 0 {
            for index in visits.indices { visits[index] = 0 }
            visit = 1
        }
    }

    /// Adds the instructions that `start` leads to without consuming. `next` is the context after the position, if it
    /// is known.
    private mutating func close(_ start: UInt32, in automaton: Automaton, next: Automaton.Context?) {
        var index = start
        while true {
            if visits[Int(index)] != visit {
                visits[Int(index)] = visit
                work += 1
                switch automaton.code[Int(index)] {
                case .match:
                    if next == nil, automaton.purpose == .table { alive.append(index) } else { hasMatched = true }
                case .set: alive.append(index)
                case .jump(let target):
                    index = target
                    continue
                case .split(let first, let second):
                    pending.append(second)
                    index = first
                    continue
                case .assertion(let assertion):
                    switch assertion.holds(after: context, before: next) {
                    case true?:
                        index += 1
                        continue
                    case false?: break
                    case nil: alive.append(index)
                    }
                case .look(let look, let isNegative):
                    if next == nil {
                        alive.append(index)
                    } else if isTrue(look) != isNegative {
                        index += 1
                        continue
                    }
                }
            }
            guard let other = pending.popLast() else { return }
            index = other
        }
    }
}

extension PatternTree.Assertion {
    /// Whether the assertion (CompileAssertion, ECMA-262, 22.2.2.4) holds between `context` and `next`, or `nil` if
    /// that depends on a unit that is not known yet.
    @inline(__always)
    func holds(
        after context: @autoclosure () -> Automaton.Context, before next: @autoclosure () -> Automaton.Context?
    ) -> Bool? {
        switch self {
        case .inputStart: context() == .edge
        case .lineStart: context().endsLine
        case .inputEnd: next().map { $0 == .edge }
        case .lineEnd: next().map(\.endsLine)
        case .wordBoundary: next().map { ($0 == .word) != (context() == .word) }
        case .notWordBoundary: next().map { ($0 == .word) == (context() == .word) }
        case .foldedWordBoundary: next().map { $0.isFoldedWord != context().isFoldedWord }
        case .notFoldedWordBoundary: next().map { $0.isFoldedWord == context().isFoldedWord }
        case .pointBoundary: context() != .lead
        }
    }
}

extension Automaton.Context {
    /// Whether a line begins or ends next to it.
    fileprivate var endsLine: Bool { self == .edge || self == .lineTerminator }

    /// Whether the neighbour is a word character under `i` together with `u` or `v`.
    fileprivate var isFoldedWord: Bool { self == .word || self == .foldedWord }
}
