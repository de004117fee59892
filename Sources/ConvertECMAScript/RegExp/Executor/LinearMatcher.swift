/// Finds the leftmost match and its captures in time linear in program and input, for programs without back references.
///
/// It takes the way that backtracking would find, without ever going back: where there is a choice, it is known already
/// which of the two ways lead to a match, because `Viability` has been over the input against the direction of the
/// match (as A. Frisch and L. Cardelli do, Greedy Regular Expression Matching, ICALP 2004). Lookarounds are decided
/// before, inner ones first, and captures inside them are found at last, each where its lookaround was passed last.
struct LinearMatcher<Input: RegExpInput> {
    private let program: LinearProgram
    private let input: Input
    private var truths: TruthTables
    /// Steps taken so far, and what they may come to.
    private(set) var work = 0
    private let allowed: Int
    private let keptBytes: Int

    /// - Parameters:
    ///   - steps: Steps that the search may take.
    ///   - keptBytes: Bytes for what is known of each position, before it is found out again where it is needed.
    init(
        _ program: LinearProgram, _ input: Input, steps: Int = RegExpBudget.unlimited.visits, keptBytes: Int = 1 << 16
    ) {
        self.program = program
        self.input = input
        self.keptBytes = keptBytes
        allowed = steps
        truths = TruthTables(lookarounds: program.lookarounds.count)
        truths.prepare(count: input.count)
    }

    /// Whether anything matches. That takes one pass over the input, and one for each lookaround.
    mutating func matches() throws(RegExpBudgetExceeded) -> Bool {
        for number in program.lookarounds.indices { try decide(number) }
        return try start(isLeftmost: false) != nil
    }

    /// The registers of the captures, in positions; `nil` if nothing matches.
    mutating func search() throws(RegExpBudgetExceeded) -> [Int32]? {
        guard input.count < Int(Int32.max) else { throw RegExpBudgetExceeded() }
        for number in program.lookarounds.indices { try decide(number) }
        guard let start = try start(isLeftmost: true) else { return nil }
        var registers = [Int32](repeating: -1, count: 2 * program.program.groupCount + 2)
        try walk(program.main, from: start, &registers)
        for number in program.lookarounds.indices.reversed() {
            let groups = program.lookarounds[number].groups
            guard !groups.isEmpty else { continue }
            let mark = registers[2 * groups.lowerBound + 1]
            guard mark < -1 else { continue }
            for register in 2 * groups.lowerBound..<2 * groups.upperBound { registers[register] = -1 }
            try walk(program.lookarounds[number], from: passed(mark), &registers)
        }
        return registers
    }

    /// Gives up if `more` steps than were counted are more than allowed, and counts them then.
    @inline(__always)
    private mutating func check(_ more: Int) throws(RegExpBudgetExceeded) {
        guard work + more > allowed else { return }
        work += more
        throw RegExpBudgetExceeded()
    }

    /// What stands in the register of the last place of a lookaround's first group until its captures are found: that it
    /// was passed at `position`. There it is reset with the group.
    private func mark(_ position: Int) -> Int32 { -2 - Int32(position) }

    private func passed(_ mark: Int32) -> Int { Int(-2 - mark) }

    /// Fills the table of lookaround `number`. Those inside have theirs already.
    private mutating func decide(_ number: Int) throws(RegExpBudgetExceeded) {
        guard truths.addTable(for: number) else { throw RegExpBudgetExceeded() }
        var viability = Viability(program, program.lookarounds[number], input, truths)
        repeat {
            if viability.isMatch { truths.set(number, at: viability.position) }
            try check(viability.work)
        } while viability.advance(truths)
        work += viability.work
    }

    /// Where a match begins: the leftmost one, or the first one met, from the right.
    private mutating func start(isLeftmost: Bool) throws(RegExpBudgetExceeded) -> Int? {
        var result: Int?
        var viability = Viability(program, program.main, input, truths)
        repeat {
            if viability.isMatch, viability.position == 0 || !program.isAnchored { result = viability.position }
            try check(viability.work)
        } while (isLeftmost || result == nil) && viability.advance(truths)
        work += viability.work
        return result
    }

    /// Goes through `part` from `origin`, where it matches, and writes down its captures.
    private mutating func walk(
        _ part: LinearProgram.Part, from origin: Int, _ registers: inout [Int32]
    ) throws(RegExpBudgetExceeded) {
        var rows = ViabilityRows(
            Viability(program, part, input, truths), part, from: origin, truths, keptBytes: keptBytes)
        var position = origin
        var index = part.code.lowerBound
        var iterations = OpenIterations()
        var steps = 0
        while true {
            steps += 1
            try check(rows.work + steps)
            let instruction = program.program.code[index]
            index += 1
            switch instruction {
            case .unit, .pair, .set:
                // It is viable, so there is a unit, and the right one.
                guard part.isBackward ? position > 0 : position < input.count else { return }
                position += part.isBackward ? -input.unit(before: position).width : input.unit(at: position).width
                iterations.haveConsumed()
                rows.reach(position, truths)
            case .jump(let target): index = Int(target)
            case .split(let first, let second, _):
                index = Int(iterations.canGoOn(at: Int(first), rows, position) ? first : second)
            case .loop(let number):
                let exit = Int(program.program.loops[Int(number)].exit)
                iterations.beginFirst(canBeEmpty: iterations.canGoOn(at: exit, rows, position))
            case .endIteration(let number):
                // What is empty has ended where its loop ends.
                if !iterations.endEmpty(), !iterations.canGoOn(at: index, rows, position) {
                    index = Int(program.program.loops[Int(number)].body)
                    iterations.begin()
                }
            case .save(let register):
                if program.beginsIteration(instruction) {
                    iterations.begin()
                } else {
                    registers[Int(register)] = Int32(position)
                }
            case .resetGroups(let first, let end):
                steps += Int(end - first) >> 2
                for register in 2 * first..<2 * end { registers[Int(register)] = -1 }
            case .look(let look):
                let groups = program.lookarounds[Int(look)].groups
                if !groups.isEmpty, !program.program.lookarounds[Int(look)].isNegative {
                    registers[2 * groups.lowerBound + 1] = mark(position)
                }
            case .assertion, .checkProgress: break
            default:
                work += rows.work + steps
                return
            }
        }
    }
}
