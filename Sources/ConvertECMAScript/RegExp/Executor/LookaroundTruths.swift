/// Answers the looks of a test's automaton, in linear time altogether.
///
/// At first, a lookahead is tried at each position that needs its answer, until the tries have read a few times the
/// input's length. After that, and for all other lookarounds, a table has the answer for each position. The table is
/// filled in one pass: from the right for a lookahead and from the left for a lookbehind, inner lookarounds first (A.
/// Barrière and C. Pit-Claudel, Linear Matching of JavaScript Regexes, PLDI 2024).
///
/// `Sendable` is unchecked because the type points to the input. It is safe because it points to an input only between
/// `start` and `rest`.
struct LookaroundTruths: Truths, @unchecked Sendable {
    /// The state of one lookaround.
    private struct Look: Sendable {
        let number: Int
        /// Runs the automaton of the table. `directDFA` runs the automaton for single positions.
        var tableDFA = LazyDFA()
        var directDFA = LazyDFA()
        var run = LazyDFA.TableRun()
        /// Units that the answers for single positions may still read. After that the table is filled for all
        /// positions.
        var allowance = 0
        /// The text that every match contains does not occur from this position on.
        var absentFrom = Int.max
        var isUsed = false
        /// Whether all inner lookarounds have their tables.
        var isPrepared = false

        init(number: Int, capacity: Int) {
            self.number = number
            tableDFA.capacity = capacity
            directDFA.capacity = capacity
        }

        var heldBytes: Int { tableDFA.heldBytes + directDFA.heldBytes }

        mutating func fill(
            through position: Int, _ lookaround: LookaroundAutomata, _ input: UTF8Units, _ tables: inout TruthTables
        ) {
            tableDFA.fill(
                &run, of: number, through: position, lookaround.table, input, isBackward: !lookaround.isBehind,
                &tables)
        }

        mutating func rest() {
            tableDFA.rest()
            directDFA.rest()
            run = LazyDFA.TableRun()
            absentFrom = Int.max
            isUsed = false
            isPrepared = false
        }
    }

    private let automata: AutomatonSet
    /// The number of bytes that the states of one automaton may take.
    private let capacity: Int
    private let directUnitsPerByte: Int
    /// The lookarounds that were asked so far, in this test or an earlier test.
    private var looks: [Look] = []
    /// The index in `looks` of each lookaround, -1 if it was not asked. Empty before the first test.
    private var places: [Int] = []
    private var tables = TruthTables(lookarounds: 0)
    /// The places of the lookarounds that were asked in this test.
    private var used: [Int] = []
    private var input = UTF8Units(bytes: .empty)
    /// The number of bytes that are kept for the next test, as of the last test that asked a look.
    private var keptBytes = 0

    /// With more lookarounds than this, nothing is kept between tests, and a test drops the caches of lookarounds that
    /// it has finished.
    private static let keptLooks = 64
    /// The number of units that an answer costs in addition to the units that it reads.
    private static let unitsPerAnswer = 16

    /// The number of visits that an answer costs in addition to the units that it reads.
    private static let visitsPerAnswer = 32

    /// Creates an instance that takes no memory before the first test. All lookarounds share `capacity`.
    init(_ automata: AutomatonSet, capacity: Int, directUnitsPerByte: Int) {
        self.automata = automata
        self.capacity = capacity / max(1, automata.lookarounds.count { $0 != nil })
        self.directUnitsPerByte = directUnitsPerByte
    }

    @inline(__always)
    var visitsLeft: Int {
        get { tables.visitsLeft }
        set { tables.visitsLeft = newValue }
    }

    var hasGivenUp: Bool { tables.hasGivenUp }

    /// Begins a test of `input`, which may take this many visits.
    mutating func start(_ input: UTF8Units, visits: Int) {
        if places.isEmpty {
            places = automata.lookarounds.map { _ in -1 }
            tables = TruthTables(lookarounds: places.count)
            keptBytes = 8 * places.count + tables.heldBytes
        }
        self.input = input
        tables.prepare(count: input.count)
        visitsLeft = visits
    }

    /// Ends a test: drops the input, and the parts of the caches that few other inputs need.
    mutating func rest() {
        input = UTF8Units(bytes: .empty)
        tables.removeAll()
        guard !used.isEmpty else { return }
        for place in used { looks[place].rest() }
        if looks.count > Self.keptLooks {
            for place in looks.indices { places[looks[place].number] = -1 }
            looks = []
            used = []
        } else {
            used.removeAll(keepingCapacity: true)
        }
        keptBytes = looks.capacity * MemoryLayout<Look>.stride + 8 * places.count + tables.heldBytes
        keptBytes += cachedBytes
    }

    /// The number of bytes that the states of all automata take.
    @inline(__always)
    var cachedBytes: Int {
        var bytes = 0
        // Iterates in place, because a closure would copy each look (W4l).
        for place in looks.indices { bytes += looks[place].heldBytes }
        return bytes
    }

    @inline(__always)
    var heldBytes: Int { keptBytes }

    /// Releases all memory.
    mutating func forget() {
        looks = []
        places = []
        used = []
        tables = TruthTables(lookarounds: 0)
        keptBytes = 0
    }

    mutating func holds(_ look: Int, at position: Int) -> Bool {
        let place = places[look]
        if place >= 0, position < looks[place].run.decidedEnd { return tables.holds(look, at: position) }
        return find(look, at: position)
    }

    @inline(never)
    private mutating func find(_ look: Int, at position: Int) -> Bool {
        guard let lookaround = automata.lookarounds[look], !hasGivenUp else { return false }
        let place = use(look)
        if let direct = lookaround.direct, looks[place].allowance > 0 { return test(direct, place, at: position) }
        if !looks[place].isPrepared {
            looks[place].isPrepared = true
            if looks.count > Self.keptLooks { looks[place].directDFA.forget() }
            for inside in lookaround.firstInside..<look where !lookaround.isLeaf { fill(inside, through: input.count) }
        }
        fill(look, through: position)
        return !hasGivenUp && tables.holds(look, at: position)
    }

    /// The index in `looks` of lookaround number `look`, which this test asks.
    private mutating func use(_ look: Int) -> Int {
        var place = places[look]
        if place < 0 {
            place = looks.count
            places[look] = place
            looks.append(Look(number: look, capacity: capacity))
        }
        if !looks[place].isUsed {
            used.append(place)
            looks[place].isUsed = true
            looks[place].allowance = directUnitsPerByte * (input.count + 4 * Self.unitsPerAnswer)
        }
        return place
    }

    /// Whether the body of the lookahead at `place` matches from `position` on.
    private mutating func test(_ direct: Automaton, _ place: Int, at position: Int) -> Bool {
        guard position < looks[place].absentFrom else { return false }
        if direct.required.count > 0, direct.required.isASCII {
            guard let found = input.firstOccurrence(ofASCII: direct.required, from: position) else {
                looks[place].absentFrom = position
                visitsLeft -= RegExpBudget.visits(searchingBytes: input.count - position)
                return false
            }
            looks[place].allowance -= found - position
            visitsLeft -= RegExpBudget.visits(searchingBytes: found - position)
        }
        var noTruths = NoTruths(visitsLeft: visitsLeft - Self.visitsPerAnswer)
        let matches = looks[place].directDFA.test(direct, input, from: position, &noTruths)
        visitsLeft = noTruths.visitsLeft
        looks[place].allowance -= Self.unitsPerAnswer + looks[place].directDFA.end - position
        return matches ?? false
    }

    /// Fills the table of lookaround number `look`, if any instruction asks it, so that `position` is decided. The
    /// inner lookarounds must already have their tables.
    private mutating func fill(_ look: Int, through position: Int) {
        guard !hasGivenUp, let lookaround = automata.lookarounds[look] else { return }
        let place = use(look)
        guard looks[place].run.decidedEnd <= position, tables.addTable(for: look) else { return }
        looks[place].fill(through: position, lookaround, input, &tables)
        if looks[place].run.decidedEnd == Int.max, looks.count > Self.keptLooks { looks[place].tableDFA.forget() }
    }
}
