internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which rules an event can match at all.
///
/// Of each rule the compiler picks predicates of which at least one must hold for the rule to match: of an `and` those of
/// one member, of an `or` those of all members. They are chosen to hold as seldom as possible; best is equality on a key,
/// which is looked up by the event's value. An event's candidates are the rules behind those of its predicates that hold.
struct RuleIndex: Sendable {
    /// Rules behind one condition: a range of `postings`.
    struct Posting: Sendable {
        let start: Int32
        let end: Int32
    }

    /// What is looked up when a slot has a value.
    struct SlotIndex: Sendable {
        var texts: [String: Posting] = [:]
        var integers: [Int: Posting] = [:]
        var doubles: [Double: Posting] = [:]
        var whenFalse: Posting?
        var whenTrue: Posting?
        /// Predicates other than equality, each asked by itself.
        var predicates: [(predicate: Int32, posting: Posting)] = []
        /// Whether anything is found by the slot.
        var isUsed = false
    }

    /// Per slot.
    private(set) var slots: [SlotIndex]
    /// Rules found when a slot is missing.
    private(set) var whenMissing: [(slot: Int32, posting: Posting)] = []
    /// Slots by which something is found and which are no members of the event's data.
    private(set) var specialSlots: [Int32] = []
    /// Rule numbers, ranges of which are postings.
    private(set) var postings: [Int32] = []
    /// Rules without a predicate to find them by, as bits.
    private(set) var always: [UInt64]

    init(_ compiler: RuleCompiler) {
        var planner = IndexPlanner(compiler)
        always = [UInt64](repeating: 0, count: (compiler.nodes.count + 63) / 64)
        slots = Array(repeating: SlotIndex(), count: compiler.slots.count)
        for (rule, node) in compiler.nodes.enumerated() where !node.isNever {
            if !planner.plan(node, for: Int32(rule)) { always[rule >> 6] |= 1 << UInt64(rule & 63) }
        }
        for (trigger, rules) in planner.triggers {
            let posting = Posting(start: Int32(postings.count), end: Int32(postings.count + rules.count))
            postings += rules
            add(trigger, posting, compiler)
        }
        for (slot, key) in compiler.slots.enumerated() where slots[slot].isUsed {
            if case .data = key { continue }
            specialSlots.append(Int32(slot))
        }
    }

    private mutating func add(_ trigger: IndexPlanner.Trigger, _ posting: Posting, _ compiler: RuleCompiler) {
        let slot: Int32
        let holdsWhenMissing: Bool
        switch trigger {
        case .equals(let equals, let operand):
            slot = equals
            holdsWhenMissing = MobileMatcher.equals.matches(nil, [operand])
            switch operand {
            case .text(let text): slots[Int(slot)].texts[text.text] = posting
            case .integer(let integer): slots[Int(slot)].integers[integer] = posting
            case .double(let double): slots[Int(slot)].doubles[double] = posting
            case .bool(true): slots[Int(slot)].whenTrue = posting
            case .bool(false): slots[Int(slot)].whenFalse = posting
            }
        case .predicate(let number):
            let predicate = compiler.predicates[Int(number)]
            slot = predicate.slot
            holdsWhenMissing = predicate.whenMissing
            slots[Int(slot)].predicates.append((number, posting))
        }
        slots[Int(slot)].isUsed = true
        if holdsWhenMissing { whenMissing.append((slot, posting)) }
    }
}
