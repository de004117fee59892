internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The evaluation of one event against rules.
struct RuleEvaluation {
    private let compiled: CompiledRules
    private(set) var view: EventView
    /// What could not be looked up.
    private(set) var warnings: [MobileRulesWarning] = []

    /// What ``consequences()`` found matching.
    private(set) var matched: [Int] = []

    /// Per slot, where its value lies in `values`; 0 if it is missing, negative if it has not been read.
    private var positions: [Int32]
    private var values: [MobileValue]
    /// Slots with a value, in the order in which they were read.
    private var present: [Int32] = []
    /// Equalities that the index found to hold.
    private var equal: [Int32] = []
    /// Whether there is a warning of the event history: one for all of its failures.
    private var hasWarnedOfHistory = false
    /// Per predicate: not decided, fails, holds.
    private var answers: [UInt8]

    init(_ compiled: CompiledRules, _ view: EventView) {
        self.compiled = compiled
        self.view = view
        positions = compiled.initialPositions
        answers = [UInt8](repeating: 0, count: compiled.predicates.count)
        values = [MobileValue(nil)]
        readData()
    }

    private mutating func readData() {
        guard let data = view.event.data else {
            // Every plain key of an event without data reads as an empty text.
            values.append(MobileValue(""))
            for slot in compiled.dataSlots.values { positions[Int(slot)] = 1 }
            present = Array(compiled.dataSlots.values)
            return
        }
        let compiled = compiled
        var values = values
        var positions = positions
        var present = present
        _ = EventData.forEachLeaf(of: data, descend: { compiled.dataNames.hasLeaf(below: $0) }) { name, value in
            guard let slot = compiled.dataSlots[name] else { return }
            // Of two paths to one name the last counts.
            if positions[Int(slot)] == 0 { present.append(slot) }
            positions[Int(slot)] = Int32(values.count)
            values.append(MobileValue(value))
        }
        self.present = present
        self.values = values
        self.positions = positions
    }

    /// Numbers of the rules that the event matches, ascending.
    mutating func matchingRules() -> [Int] {
        if view.exceedsLimits {
            warnings.append(.exceedsLimits)
            return []
        }
        var matching: [Int] = []
        var base = 0
        for word in candidates() {
            var bits = word
            while bits != 0 {
                let rule = base + bits.trailingZeroBitCount
                bits &= bits &- 1
                if holds(compiled.rules[rule].entry) { matching.append(rule) }
            }
            base += 64
        }
        return matching
    }

    /// The consequences of the matching rules, in order, their tokens replaced.
    mutating func consequences() -> [ResolvedConsequence] {
        matched = matchingRules()
        var consequences: [ResolvedConsequence] = []
        var leftOut: Int?
        for rule in matched {
            for template in compiled.rules[rule].consequences {
                if let consequence = template.resolved(in: &view, ruleIndex: rule) {
                    consequences.append(consequence)
                } else if leftOut == nil {
                    leftOut = rule
                }
            }
        }
        if let leftOut {
            warnings.append(
                MobileRulesWarning(
                    at: "$.rules[\(leftOut)].consequences",
                    "the tokens of one event, and those it dispatches, come to more than "
                        + "\(MobileRulesLimits.expandedLength) bytes; the consequences from here on that have "
                        + "tokens are left out.", ruleIndex: leftOut))
        }
        return consequences
    }

    /// Whether a rule's steps end well.
    private mutating func holds(_ entry: Int32) -> Bool {
        var next = entry
        while next >= 0 {
            let step = compiled.steps[Int(next)]
            next = holds(predicate: step.predicate) ? step.onTrue : step.onFalse
        }
        return next == Step.holds
    }

    private mutating func holds(predicate number: Int32) -> Bool {
        let known = answers[Int(number)]
        if known != 0 { return known == 2 }
        let answer: Bool
        switch compiled.predicates[Int(number)].kind {
        case .historical(let index):
            answer = holds(compiled.historicals[index])
        case .matcher:
            let predicate = compiled.predicates[Int(number)]
            if predicate.isVolatile { positions[Int(predicate.slot)] = SlotPosition.unread }
            let position = position(of: predicate.slot)
            if position != 0, predicate.isLookedUp {
                // Reading the slot has answered the equalities that hold.
                if answers[Int(number)] == 0 { answers[Int(number)] = 1 }
                return answers[Int(number)] == 2
            }
            answer =
                position == 0 ? predicate.whenMissing : predicate.matcher.matches(&values[position], predicate.operands)
            if predicate.isVolatile { return answer }
        }
        answers[Int(number)] = answer ? 2 : 1
        return answer
    }

    private mutating func holds(_ condition: Condition.Historical) -> Bool {
        let search = HistoricalSearch(condition: condition, now: view.environment.now)
        do {
            return condition.comparison.matches(try search.result(&view.lookups), condition.value)
        } catch {
            if !hasWarnedOfHistory {
                hasWarnedOfHistory = true
                warnings.append(
                    MobileRulesWarning(at: "event history", "a look-up failed, so conditions see -1. \(error)"))
            }
            return condition.comparison.matches(-1, condition.value)
        }
    }

    /// Where the slot's value lies, 0 if it is missing.
    private mutating func position(of slot: Int32) -> Int {
        let known = positions[Int(slot)]
        if known != SlotPosition.unread { return Int(known) }
        var position = 0
        if let value = view.value(of: compiled.slots[Int(slot)]) {
            position = values.count
            values.append(MobileValue(value))
            present.append(slot)
        }
        positions[Int(slot)] = Int32(position)
        if position != 0 { lookUp(slot) }
        return position
    }

    /// Reads the members of a shared state by which rules are found.
    private mutating func read(_ slots: StateSlots) {
        guard let state = view.state(slots.name) else { return }
        slots.forEachLeaf(of: state) { slot, value in
            positions[Int(slot)] = Int32(values.count)
            values.append(MobileValue(value))
            present.append(slot)
        }
    }

    /// The rules that the event may match, as bits.
    private mutating func candidates() -> [UInt64] {
        for state in compiled.states { read(state) }
        var found = compiled.index.always
        for slot in present { lookUp(slot) }
        for slot in compiled.index.specialSlots { _ = position(of: slot) }
        for slot in present where compiled.index.slots[Int(slot)].findsRules {
            for predicate in compiled.index.slots[Int(slot)].predicates where holds(predicate: predicate) {
                mark(predicate, &found)
            }
        }
        for predicate in equal { mark(predicate, &found) }
        for (slot, predicate) in compiled.index.whenMissing where positions[Int(slot)] == 0 { mark(predicate, &found) }
        return found
    }

    /// Answers the equalities of a slot that has a value.
    private mutating func lookUp(_ slot: Int32) {
        let position = Int(positions[Int(slot)])
        let slot = Int(slot)
        if !compiled.index.slots[slot].texts.isEmpty, let text = values[position].lowercase,
            let posting = compiled.index.slots[slot].texts[text.text]
        {
            answer(posting)
        }
        if !compiled.index.slots[slot].integers.isEmpty, let integer = values[position].integer,
            let posting = compiled.index.slots[slot].integers[integer]
        {
            answer(posting)
        }
        if !compiled.index.slots[slot].doubles.isEmpty, let double = values[position].double,
            let posting = compiled.index.slots[slot].doubles[double]
        {
            answer(posting)
        }
        if compiled.index.slots[slot].comparesBooleans, let flag = values[position].bool {
            answer(flag ? compiled.index.slots[slot].whenTrue : compiled.index.slots[slot].whenFalse)
        }
    }

    private mutating func answer(_ posting: RuleIndex.Posting) {
        for position in Int(posting.start)..<Int(posting.end) {
            let predicate = compiled.index.numbers[position]
            answers[Int(predicate)] = 2
            equal.append(predicate)
        }
    }

    private func mark(_ predicate: Int32, _ found: inout [UInt64]) {
        let posting = compiled.index.rules[Int(predicate)]
        for position in Int(posting.start)..<Int(posting.end) {
            let rule = Int(compiled.index.numbers[position])
            found[rule >> 6] |= 1 << UInt64(rule & 63)
        }
    }
}
