internal import ConvertECMAScript

/// Finds the rules that an event can match.
///
/// For each rule, ``IndexPlanner`` chooses predicates, at least one of which must hold for the rule to match: for an
/// `and` the predicates of one member, for an `or` the predicates of all members. It prefers predicates that seldom
/// hold. The best predicate is an equality, because a look-up of the event's value answers it. An event's candidates
/// are the rules of all chosen predicates that hold.
struct RuleIndex: ~Copyable, Sendable {
    /// The rules that are found through a slot.
    struct Slot: Sendable, BitwiseCopyable {
        /// Predicates that find rules and are evaluated one by one, because a look-up does not answer them.
        var predicates = TableRange()
        /// Whether any rule is found through the slot.
        var findsRules = false
        /// Whether the slot is a member of the event's data.
        var isData = false
    }

    /// A predicate that finds rules if its slot is missing.
    struct Missing: Sendable, BitwiseCopyable {
        let slot: Int32
        let predicate: Int32
    }

    let slots: Rows<Slot>
    /// Per comparison, the rules that it finds.
    let rules: Rows<TableRange>
    let whenMissing: Rows<Missing>
    /// Slots that find rules and belong neither to the event's data nor to a shared state.
    let specialSlots: Rows<Int32>
    /// Numbers of rules and predicates. The ranges in ``rules`` and ``Slot/predicates`` refer to this list.
    let numbers: Rows<Int32>
    /// Rules that no predicate finds, as bits.
    let always: Rows<UInt64>

    init(_ compiler: borrowing RuleCompiler, _ comparisons: [MobileComparison], _ predicates: [Predicate]) {
        var planner = IndexPlanner(compiler, comparisons)
        var always = [UInt64](repeating: 0, count: (compiler.roots.count + 63) / 64)
        for (rule, root) in compiler.roots.enumerated() where compiler.nodes[root].kind != .never {
            if !planner.plan(root, for: Int32(rule)) { always[rule >> 6] |= 1 << UInt64(rule & 63) }
        }
        self.always = Rows(always)
        var numbers: [Int32] = []
        let rules = Self.ranges(of: planner.finds, keyCount: comparisons.count, in: &numbers)
        var slots = [Slot](repeating: Slot(), count: compiler.slots.count)
        var whenMissing: [Missing] = []
        var asked: [(key: Int32, value: Int32)] = []
        for number in rules.indices where rules[number].count > 0 {
            let predicate = predicates[number]
            slots[Int(predicate.slot)].findsRules = true
            if predicate.holdsWhenMissing {
                whenMissing.append(Missing(slot: predicate.slot, predicate: Int32(number)))
            }
            if !predicate.isLookedUp { asked.append((predicate.slot, Int32(number))) }
        }
        let ranges = Self.ranges(of: asked, keyCount: slots.count, in: &numbers)
        for slot in slots.indices { slots[slot].predicates = ranges[slot] }
        var specialSlots: [Int32] = []
        for (slot, key) in compiler.slots.enumerated() {
            switch key {
            case .data: slots[slot].isData = true
            case .state: break
            default: if slots[slot].findsRules { specialSlots.append(Int32(slot)) }
            }
        }
        self.slots = Rows(slots)
        self.rules = Rows(rules)
        self.whenMissing = Rows(whenMissing)
        self.specialSlots = Rows(specialSlots)
        self.numbers = Rows(numbers)
    }

    /// Adds to `found` the rules that `predicate` finds.
    func mark(_ predicate: Int32, in found: inout Rows<UInt64>) {
        for place in rules[Int(predicate)].indices {
            let rule = Int(numbers[place])
            found[rule >> 6] |= 1 << UInt64(rule & 63)
        }
    }

    /// Appends the values of each key in turn to `numbers`, and returns their range for each key.
    private static func ranges(
        of pairs: [(key: Int32, value: Int32)], keyCount: Int, in numbers: inout [Int32]
    ) -> [TableRange] {
        var ends = [Int](repeating: 0, count: keyCount)
        for pair in pairs { ends[Int(pair.key)] += 1 }
        var end = numbers.count
        var ranges: [TableRange] = []
        ranges.reserveCapacity(keyCount)
        for key in ends.indices {
            let count = ends[key]
            ranges.append(TableRange(start: end, count: count))
            ends[key] = end
            end += count
        }
        numbers += repeatElement(0, count: pairs.count)
        for pair in pairs {
            numbers[ends[Int(pair.key)]] = pair.value
            ends[Int(pair.key)] += 1
        }
        return ranges
    }
}
