/// Answers the looks of a test's automaton in linear time altogether.
///
/// A lookahead is first tried where it is asked, as long as that reads no more than a few times the input. After that, and
/// for all others, a table says for each position whether the body matches; it is filled in one pass, from the right for
/// a lookahead and from the left for a lookbehind, inner lookarounds first (A. Barrière and C. Pit-Claudel, Linear
/// Matching of JavaScript Regexes, PLDI 2024).
///
/// Unchecked, because it points to the input, which it does only between `start` and `rest`.
struct LookaroundTruths: Truths, @unchecked Sendable {
    /// What belongs to one lookaround.
    private struct Look: Sendable {
        /// Runs the automaton of the table, and the one for single positions.
        var tableDFA = LazyDFA()
        var directDFA = LazyDFA()
        var run = LazyDFA.TableRun()
        /// Units that the answers for single positions may still read. Then the table is filled, once for all positions.
        var allowance = 0
        /// What every match contains stands nowhere from here on.
        var absentFrom = Int.max
        var isUsed = false

        mutating func fill(
            through position: Int, _ lookaround: LookaroundAutomata, _ input: UTF8Units, _ tables: inout TruthTables
        ) -> Bool {
            tables.addTable(for: lookaround.number)
                && tableDFA.fill(
                    &run, of: lookaround.number, through: position, lookaround.table, input,
                    isBackward: !lookaround.isBehind, &tables)
        }

        mutating func rest() {
            tableDFA.rest()
            directDFA.rest()
            run = LazyDFA.TableRun()
            absentFrom = Int.max
            isUsed = false
        }
    }

    private(set) var hasGivenUp = false
    /// Visits that the test may take for looks, and how many it has taken.
    private var allowed = Int.max
    private(set) var spent = 0
    private let automata: AutomatonSet
    private let directUnitsPerByte: Int
    private let unusedLook: Look
    private var looks: [Look]
    private var tables: TruthTables
    /// The lookarounds that were asked in this test.
    private var used: [Int] = []
    private var input = UTF8Units(bytes: UnsafeBufferPointer(start: nil, count: 0))

    /// More lookarounds than this, and a pattern at rest keeps nothing of them.
    private static let keptLooks = 64
    /// Units that an answer costs whatever it reads.
    private static let unitsPerAnswer = 16

    init(_ automata: AutomatonSet, capacity: Int, directUnitsPerByte: Int) {
        self.automata = automata
        self.directUnitsPerByte = directUnitsPerByte
        var look = Look()
        look.tableDFA.capacity = capacity
        look.directDFA.capacity = capacity
        unusedLook = look
        looks = [Look](repeating: look, count: automata.lookarounds.count)
        tables = TruthTables(lookarounds: automata.lookarounds.count)
    }

    /// Begins a test of `input`, which may take so many visits for its looks.
    mutating func start(_ input: UTF8Units, visits: Int) {
        self.input = input
        allowed = visits
        spent = 0
        tables.prepare(count: input.count)
    }

    /// Ends a test: forgets the input, and of the automata what few inputs are likely to need again.
    mutating func rest() {
        hasGivenUp = false
        input = UTF8Units(bytes: UnsafeBufferPointer(start: nil, count: 0))
        tables.removeAll()
        for look in used {
            if looks.count > Self.keptLooks { looks[look] = unusedLook } else { looks[look].rest() }
        }
        used.removeAll(keepingCapacity: true)
    }

    /// Bytes that the automata have cached.
    var heldBytes: Int {
        // In place: handed to a closure, each look would be copied (W4l).
        var sum = 0
        for look in looks.indices { sum += looks[look].tableDFA.heldBytes + looks[look].directDFA.heldBytes }
        return sum
    }

    /// Gives back what the automata have cached.
    mutating func forget() {
        for look in looks.indices { looks[look] = unusedLook }
    }

    mutating func holds(_ look: Int, at position: Int) -> Bool {
        if position < looks[look].run.decidedEnd { return tables.holds(look, at: position) }
        return find(look, at: position)
    }

    @inline(never)
    private mutating func find(_ look: Int, at position: Int) -> Bool {
        guard let lookaround = automata.lookarounds[look], !hasGivenUp else { return false }
        use(look)
        if let direct = lookaround.direct, looks[look].allowance > 0 { return test(direct, look, at: position) }
        for inside in lookaround.firstInside..<look where !lookaround.isLeaf { fill(inside, through: input.count) }
        fill(look, through: position)
        return !hasGivenUp && tables.holds(look, at: position)
    }

    private mutating func use(_ look: Int) {
        guard !looks[look].isUsed else { return }
        used.append(look)
        looks[look].isUsed = true
        let steps = max(0, min(RegExpLimits.automatonSteps, allowed - spent))
        looks[look].tableDFA.steps = steps
        looks[look].directDFA.steps = steps
        looks[look].allowance = directUnitsPerByte * (input.count + 4 * Self.unitsPerAnswer)
    }

    /// Whether the body of lookahead number `look` matches from `position` on.
    private mutating func test(_ direct: Automaton, _ look: Int, at position: Int) -> Bool {
        guard position < looks[look].absentFrom else { return false }
        if direct.required.count > 0, direct.required.isASCII {
            guard let found = input.firstOccurrence(ofASCII: direct.required, from: position) else {
                looks[look].absentFrom = position
                return false
            }
            looks[look].allowance -= found - position
        }
        var noTruths = NoTruths()
        let work = looks[look].directDFA.work
        let matches = looks[look].directDFA.test(direct, input, from: position, &noTruths)
        spent += looks[look].directDFA.work - work
        looks[look].allowance -= Self.unitsPerAnswer + looks[look].directDFA.end - position
        if matches == nil || spent > allowed { hasGivenUp = true }
        return matches ?? false
    }

    /// Fills the table of lookaround number `look`, if anything asks that, so that `position` is decided.
    private mutating func fill(_ look: Int, through position: Int) {
        guard !hasGivenUp, let lookaround = automata.lookarounds[look] else { return }
        use(look)
        guard looks[look].run.decidedEnd <= position else { return }
        let work = looks[look].tableDFA.work
        let isFilled = looks[look].fill(through: position, lookaround, input, &tables)
        spent += looks[look].tableDFA.work - work
        hasGivenUp = !isFilled || spent > allowed
    }
}
