internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Which rules an event can match at all.
///
/// Of each rule the compiler picks predicates of which at least one must hold for the rule to match: of an `and` those of
/// one member, of an `or` those of all members. They are chosen to hold as seldom as possible; best is equality on a key,
/// which is looked up by the event's value. An event's candidates are the rules behind those of its predicates that hold.
struct RuleIndex: Sendable {
    /// A range of `numbers`.
    struct Posting: Sendable {
        var start: Int32 = 0
        var end: Int32 = 0

        var isEmpty: Bool { start == end }
    }

    /// What is looked up when a slot has a value.
    struct SlotIndex: Sendable {
        /// The equalities that hold for a value, by its forms.
        var texts: [String: Posting] = [:]
        var integers: [Int: Posting] = [:]
        var doubles: [Double: Posting] = [:]
        var whenFalse = Posting()
        var whenTrue = Posting()
        var comparesBooleans = false
        /// Other predicates that find rules, each asked by itself.
        var predicates: [Int32] = []
        /// Whether some rule is found by the slot.
        var findsRules = false
    }

    /// Per slot.
    private(set) var slots: [SlotIndex]
    /// Per predicate the rules that it finds.
    private(set) var rules: [Posting] = []
    /// Predicates that find rules when their slot is missing.
    private(set) var whenMissing: [(slot: Int32, predicate: Int32)] = []
    /// Slots by which rules are found and which are members neither of the event's data nor of a shared state.
    private(set) var specialSlots: [Int32] = []
    /// Numbers of rules and predicates, ranges of which are postings.
    private(set) var numbers: [Int32] = []
    /// Rules without a predicate to find them by, as bits.
    private(set) var always: [UInt64]

    init(_ compiler: RuleCompiler) {
        var planner = IndexPlanner(compiler)
        always = [UInt64](repeating: 0, count: (compiler.nodes.count + 63) / 64)
        slots = Array(repeating: SlotIndex(), count: compiler.slots.count)
        for (rule, node) in compiler.nodes.enumerated() where !node.isNever {
            if !planner.plan(node, for: Int32(rule)) { always[rule >> 6] |= 1 << UInt64(rule & 63) }
        }
        rules = postings(of: planner.finds, predicateCount: compiler.predicates.count)
        for (number, predicate) in compiler.predicates.enumerated() where predicate.kind == .matcher {
            let slot = Int(predicate.slot)
            let findsRules = !rules[number].isEmpty
            if findsRules {
                slots[slot].findsRules = true
                if predicate.whenMissing { whenMissing.append((predicate.slot, Int32(number))) }
            }
            if findsRules, !predicate.isLookedUp { slots[slot].predicates.append(Int32(number)) }
        }
        for (equality, predicates) in planner.equalities { add(equality, append(predicates)) }
        for (slot, key) in compiler.slots.enumerated() where slots[slot].findsRules {
            switch key {
            case .data, .state: break
            default: specialSlots.append(Int32(slot))
            }
        }
    }

    /// Appends the rules of each predicate in turn.
    private mutating func postings(of finds: [(predicate: Int32, rule: Int32)], predicateCount: Int) -> [Posting] {
        var postings = [Posting](repeating: Posting(), count: predicateCount)
        for found in finds { postings[Int(found.predicate)].end += 1 }
        var end: Int32 = 0
        for predicate in postings.indices {
            let count = postings[predicate].end
            postings[predicate] = Posting(start: end, end: end)
            end += count
        }
        numbers = [Int32](repeating: 0, count: finds.count)
        for found in finds {
            numbers[Int(postings[Int(found.predicate)].end)] = found.rule
            postings[Int(found.predicate)].end += 1
        }
        return postings
    }

    private mutating func append(_ numbers: [Int32]) -> Posting {
        self.numbers += numbers
        return Posting(start: Int32(self.numbers.count - numbers.count), end: Int32(self.numbers.count))
    }

    private mutating func add(_ equality: IndexPlanner.Equality, _ posting: Posting) {
        let slot = Int(equality.slot)
        switch equality.operand {
        case .text(let text): slots[slot].texts[text.text] = posting
        case .integer(let integer): slots[slot].integers[integer] = posting
        case .double(let double): slots[slot].doubles[double] = posting
        case .bool(let flag):
            slots[slot].comparesBooleans = true
            if flag { slots[slot].whenTrue = posting } else { slots[slot].whenFalse = posting }
        }
    }
}
