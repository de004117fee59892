/// A deterministic automaton that is built while it runs, in limited memory.
///
/// A state is a set of live instructions and the context before them. Its transitions are computed when inputs need
/// them. When the memory is used up, all states are dropped and built anew. If that happens too often for the amount of
/// input in between, part of the input is processed without caching states.
///
/// One caller at a time owns an instance; `ScratchPool` ensures that.
struct LazyDFA: PooledMemory {
    /// A transition: the start of the next state's row, or one of these marks.
    enum Mark {
        /// Not computed yet.
        static let unknown: Int32 = -1
        /// No match can follow.
        static let dead: Int32 = -2
        /// The pattern has matched.
        static let match: Int32 = -3
        /// The byte begins a unit that is not ASCII, and the whole unit has to be read.
        static let foreign: Int32 = -4
        /// The state at a position at which no match has begun. The search for the prefix continues from the position.
        static let restart: Int32 = -5
        /// The state asks looks. Their truths determine the row that is used instead.
        static let look: Int32 = -6
        /// Set in a row's start if a match ends where the unit is consumed. Only automata with the purpose `table` use
        /// it.
        static let matchFlag: Int32 = 1 << 30
    }

    /// The rows of all states, one after the other.
    ///
    /// If a state asks few looks, its own row has `Mark.look` everywhere, and is followed by one row for each
    /// combination of their truths.
    private(set) var transitions: [Int32] = []
    /// The looks that states ask, as bit masks. A state's `maskColumn` has the index of its mask.
    private var masks: [UInt64] = []
    /// The states without a begun match, by the context before them.
    private var starts = [Int32](repeating: Mark.unknown, count: Automaton.Context.allCases.count)
    var stepper = AutomatonStepper()
    /// The sets of all states: the context, then the instructions.
    private var items: [UInt32] = []
    private var itemStarts = [0]
    /// Finds states by their sets.
    private var table: [UInt32: Int] = [:]
    /// The number of bytes that states may take, apart from bytes that are added for the automaton's size.
    var capacity = RegExpLimits.cacheBytes
    /// The position at which the last test stopped reading.
    var end = 0
    /// The number of times that all states were dropped.
    private(set) var clearings = 0

    /// If a state asks more looks than this, its transitions are not cached.
    private static let keptLooks = 4

    /// Ends a test. A cache that was full at least once is dropped, because few other inputs resemble the input that
    /// filled it.
    mutating func rest() {
        if clearings > 0 { forget() }
    }

    mutating func forget() {
        let capacity = capacity
        self = LazyDFA()
        self.capacity = capacity
    }

    @inline(__always)
    var heldBytes: Int { 4 * (transitions.count + items.count) + 8 * itemStarts.count + stepper.heldBytes }

    /// The number of rows of transitions.
    var stateCount: Int { itemStarts.count - 1 }

    /// The row of the state without a begun match after `context`, or a mark.
    @inline(__always)
    mutating func startState(_ automaton: Automaton, after context: Automaton.Context) -> Int32 {
        let known = starts[Int(context.rawValue)]
        return known == Mark.unknown ? computeStart(automaton, after: context) : known
    }

    private mutating func computeStart(_ automaton: Automaton, after context: Automaton.Context) -> Int32 {
        if automaton.searchesPrefix, automaton.hasAssertions {
            // `target` compares a row with the start states of all contexts, so they must exist.
            for other in Automaton.Context.allCases where other != context { findStart(automaton, after: other) }
        }
        return findStart(automaton, after: context)
    }

    @discardableResult
    private mutating func findStart(_ automaton: Automaton, after context: Automaton.Context) -> Int32 {
        stepper.start(automaton, after: context)
        let start = reach(automaton)
        starts[Int(context.rawValue)] = start
        return start
    }

    /// Computes the transition of the state at `row` for `column`. Stores it at `place` in `transitions` unless `place`
    /// is negative. The stepper must have the truths of the looks that the state asks.
    mutating func computeTransition(_ automaton: Automaton, row: Int32, column: Int, keptAt place: Int) -> Int32 {
        load(automaton, row: row)
        stepper.advance(automaton, column: column)
        let clearingsBefore = clearings
        let target = column == automaton.endColumn ? endTarget : target(automaton, column)
        if clearings == clearingsBefore, place >= 0 { transitions[place] = target }
        return target
    }

    private var endTarget: Int32 { stepper.hasMatched ? Mark.match : Mark.dead }

    private mutating func target(_ automaton: Automaton, _ column: Int) -> Int32 {
        let hasMatched = stepper.hasMatched
        let target = reach(automaton)
        if automaton.purpose == .table { return hasMatched ? target | Mark.matchFlag : target }
        guard automaton.searchesPrefix, target >= 0 else { return target }
        let context = automaton.hasAssertions ? automaton.classes.contexts[column] : .edge
        return target == starts[Int(context.rawValue)] ? Mark.restart : target
    }

    /// For the state at `row`, whose transitions are `Mark.look`: sets the truths in the stepper, and returns the place
    /// of the transition for `column` in the row for these truths; -1 if the transition is not cached.
    mutating func decideLooks(
        _ automaton: Automaton, row: Int32, column: Int, at position: Int, _ truths: inout some Truths
    ) -> Int {
        let mask = masks[Int(transitions[Int(row) + automaton.maskColumn])]
        if stepper.truths.isEmpty { stepper.truths = [UInt64](repeating: 0, count: (automaton.looks.count + 63) / 64) }
        guard mask.nonzeroBitCount <= Self.keptLooks else {
            decideAllLooks(automaton, at: position, &truths)
            return -1
        }
        var remaining = mask
        var known: UInt64 = 0
        var combination = 0
        var bit = 1
        while remaining != 0 {
            let look = remaining.trailingZeroBitCount
            remaining &= remaining - 1
            if truths.holds(automaton.looks[look], at: position) {
                known |= 1 << UInt64(look)
                combination |= bit
            }
            bit <<= 1
        }
        stepper.truths[0] = known
        return Int(row) + (1 + combination) * automaton.columnCount + column
    }

    /// Sets the truths of all looks at `position` in the stepper.
    mutating func decideAllLooks(_ automaton: Automaton, at position: Int, _ truths: inout some Truths) {
        for word in stepper.truths.indices { stepper.truths[word] = 0 }
        for (look, number) in automaton.looks.enumerated() where truths.holds(number, at: position) {
            stepper.truths[look >> 6] |= 1 << UInt64(look & 63)
        }
    }

    /// Loads the state at `row` into the stepper.
    mutating func load(_ automaton: Automaton, row: Int32) {
        let state = Int(row) / automaton.columnCount
        let range = itemStarts[state]..<itemStarts[state + 1]
        stepper.alive.removeAll(keepingCapacity: true)
        stepper.alive.append(contentsOf: items[range.dropFirst()])
        stepper.context = Automaton.Context(rawValue: UInt8(items[range.lowerBound])) ?? .other
    }

    /// The row of the stepper's current state, or a mark.
    mutating func reach(_ automaton: Automaton) -> Int32 {
        if stepper.hasMatched, automaton.purpose != .table { return Mark.match }
        if stepper.alive.isEmpty, automaton.isAnchored { return Mark.dead }
        // Sorted, so that equal sets are the same state, regardless of how they were reached.
        stepper.alive.sort()
        // Only waiting assertions depend on the context before the position.
        let waits = stepper.alive.contains { automaton.code[Int($0)].waits }
        let context = UInt32((waits ? stepper.context : .other).rawValue)
        var hash = hash(context)
        while let state = table[hash] {
            if isState(state, context) { return Int32(state * automaton.columnCount) }
            // Another set has the same hash.
            hash &+= 1
        }
        if bytes(automaton) > capacity + RegExpLimits.cacheBytesPerInstruction * automaton.code.count {
            clear()
            hash = self.hash(context)
        }
        return add(automaton, context, hash)
    }

    private mutating func add(_ automaton: Automaton, _ context: UInt32, _ hash: UInt32) -> Int32 {
        let row = Int32(transitions.count)
        items.append(context)
        items.append(contentsOf: stepper.alive)
        itemStarts.append(items.count)
        transitions.append(contentsOf: repeatElement(Mark.unknown, count: automaton.columnCount))
        transitions[Int(row) + automaton.foreignColumn] = Mark.foreign
        table[hash] = stateCount - 1
        if !automaton.looks.isEmpty { addLookRows(automaton, row: Int(row)) }
        return row
    }

    /// Turns the newest state, at `row`, into a state that asks looks, if any look can be asked at its position.
    private mutating func addLookRows(_ automaton: Automaton, row: Int) {
        let mask = stepper.alive.reduce(0) { $0 | automaton.reachableLooks[Int($1)] }
        guard mask != 0 else { return }
        for column in 0...automaton.endColumn { transitions[row + column] = Mark.look }
        transitions[row + automaton.maskColumn] = Int32(masks.count)
        masks.append(mask)
        guard mask.nonzeroBitCount <= Self.keptLooks else { return }
        let rows = 1 << mask.nonzeroBitCount
        transitions.append(contentsOf: repeatElement(Mark.unknown, count: rows * automaton.columnCount))
        // These rows have numbers like states, but no state uses them.
        itemStarts.append(contentsOf: repeatElement(items.count, count: rows))
    }

    private func bytes(_ automaton: Automaton) -> Int {
        4 * (transitions.count + automaton.columnCount + items.count + stepper.alive.count + 4 * itemStarts.count)
    }

    private mutating func clear() {
        clearings += 1
        transitions.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        itemStarts.removeLast(itemStarts.count - 1)
        masks.removeAll(keepingCapacity: true)
        table.removeAll(keepingCapacity: true)
        for context in starts.indices { starts[context] = Mark.unknown }
    }

    private func isState(_ state: Int, _ context: UInt32) -> Bool {
        let from = itemStarts[state]
        guard itemStarts[state + 1] - from == stepper.alive.count + 1, items[from] == context else { return false }
        return items[from + 1..<itemStarts[state + 1]].elementsEqual(stepper.alive)
    }

    /// The hash of the stepper's current set.
    private func hash(_ context: UInt32) -> UInt32 {
        var hash = UInt64(context)
        for index in stepper.alive {
            hash = (hash ^ UInt64(index) &+ 1) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
        }
        return UInt32(truncatingIfNeeded: hash >> 7)
    }
}

extension Automaton.Instruction {
    /// Whether the instruction stays in a state until the next unit is known.
    fileprivate var waits: Bool {
        switch self {
        case .assertion, .look: true
        case .set, .split, .jump, .match: false
        }
    }
}
