/// The backtracker's memory, kept between calls so that a short match allocates nothing once it is warm.
struct BacktrackerScratch: PooledMemory {
    /// What to do when a path fails.
    enum EntryKind: UInt8 {
        /// Go on at an instruction and a position.
        case choice
        /// Put a register's value back.
        case register
        /// Record that a choice failed at a position.
        case failure
        /// Let a greedy run give one unit back, or a lazy one take one more.
        case greedyRun, lazyRun
        /// The body of a lookaround did not match.
        case look
    }

    struct Entry {
        var kind: EntryKind
        /// Instruction or register.
        var index: Int32
        /// Position or old value.
        var value: Int32
        /// Of a greedy run: the position down to which it may give back. Of a lazy one: how many units it may still take.
        var limit: Int32
    }

    var stack: [Entry] = []
    var registers: [Int32] = []
    var failures = FailureTable()

    /// Entries and registers whose memory is kept for the next call.
    private static let keptCount = 1 << 12

    /// Makes ready for a search with `registerCount` registers.
    mutating func prepare(registerCount: Int) {
        if registers.count == registerCount {
            for index in registers.indices { registers[index] = -1 }
        } else {
            registers = [Int32](repeating: -1, count: registerCount)
        }
    }

    var heldBytes: Int { 16 * stack.capacity + 4 * registers.count }

    mutating func forget() { self = BacktrackerScratch() }

    /// Ends a search: a pattern at rest keeps little memory, whatever it has been through.
    mutating func rest() {
        if stack.capacity > Self.keptCount { stack = [] } else { stack.removeAll(keepingCapacity: true) }
        if registers.count > Self.keptCount { registers = [] }
        failures.removeAll()
    }
}
