/// Finds the leftmost match and its captures in time linear in program and input, for programs without back references.
///
/// The matcher follows the path that backtracking would find, but never goes back. At each choice it already knows
/// which of the two branches lead to a match, because `Viability` has read the input against the direction of the match
/// (as A. Frisch and L. Cardelli do, Greedy Regular Expression Matching, ICALP 2004). Lookarounds are decided first,
/// inner lookarounds before outer ones. The captures inside a lookaround are found at the end, at the last position at
/// which the match passed the lookaround.
struct LinearMatcher<Input: RegExpInput> {
    private let program: LinearProgram
    private let input: Input
    private var truths: TruthTables
    /// The steps taken so far, and their maximum.
    private(set) var work = 0
    private let allowed: Int
    private let keptBytes: Int

    /// - Parameters:
    ///   - steps: the number of steps that the search may take.
    ///   - keptBytes: the number of bytes for cached rows of viability. Rows beyond it are computed again when needed.
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

    /// Whether anything matches. Takes one pass over the input, and one for each lookaround.
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

    /// Counts steps, and gives up if the counted steps and `more` exceed the maximum.
    @inline(__always)
    private mutating func check(_ more: Int) throws(RegExpBudgetExceeded) {
        guard work + more > allowed else { return }
        work += more
        throw RegExpBudgetExceeded()
    }

    /// The temporary value of the last register of a lookaround's first group, until the lookaround's captures are
    /// found. The value means that the match passed the lookaround at `position`. It is reset together with the group.
    private func mark(_ position: Int) -> Int32 { -2 - Int32(position) }

    private func passed(_ mark: Int32) -> Int { Int(-2 - mark) }

    /// Fills the table of lookaround number `number`. The inner lookarounds must already have tables.
    private mutating func decide(_ number: Int) throws(RegExpBudgetExceeded) {
        guard truths.addTable(for: number) else { throw RegExpBudgetExceeded() }
        var viability = Viability(program, program.lookarounds[number], input, truths)
        repeat {
            if viability.isMatch { truths.set(number, at: viability.position) }
            try check(viability.work)
        } while viability.advance(truths)
        work += viability.work
    }

    /// The position at which a match begins: the leftmost position, or else the first position found from the right.
    /// `nil` if there is no match.
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

    /// Follows the match of `part` from `origin`, and records its captures.
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
                // The instruction is viable, so the next unit exists and matches.
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
                // An empty iteration ends where its loop ends.
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
