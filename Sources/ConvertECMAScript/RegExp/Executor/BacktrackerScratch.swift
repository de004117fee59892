/// The backtracker's memory, kept between calls so that a short match usually allocates nothing.
struct BacktrackerScratch: PooledMemory {
    /// The action to take when a path fails.
    enum EntryKind: UInt8 {
        /// Continue at an instruction and a position.
        case choice
        /// Restore a register's value.
        case register
        /// Record that a choice failed at a position.
        case failure
        /// Make a greedy run give back one unit, or a lazy run take one more unit.
        case greedyRun, lazyRun
        /// The body of a lookaround did not match.
        case look
    }

    struct Entry {
        var kind: EntryKind
        /// Instruction or register.
        var index: Int32
        /// Position, or old value of the register.
        var value: Int32
        /// For a greedy run: the position down to which it may give back units. For a lazy run: the number of units
        /// that it may still take.
        var limit: Int32
    }

    var stack: [Entry] = []
    var registers: [Int32] = []
    var failures = FailureTable()

    /// The number of entries and registers whose memory is kept for the next call.
    private static let keptCount = 1 << 12

    /// Prepares for a search with `registerCount` registers.
    mutating func prepare(registerCount: Int) {
        if registers.count == registerCount {
            for index in registers.indices { registers[index] = -1 }
        } else {
            registers = [Int32](repeating: -1, count: registerCount)
        }
    }

    var heldBytes: Int { 16 * stack.capacity + 4 * registers.count }

    mutating func forget() { self = BacktrackerScratch() }

    /// Ends a search, and releases memory beyond a small amount.
    mutating func rest() {
        if stack.capacity > Self.keptCount { stack = [] } else { stack.removeAll(keepingCapacity: true) }
        if registers.count > Self.keptCount { registers = [] }
        failures.removeAll()
    }
}
