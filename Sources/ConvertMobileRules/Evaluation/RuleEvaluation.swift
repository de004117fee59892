internal import ConvertConcurrency
internal import ConvertECMAScript

/// The evaluation of one event against rules.
struct RuleEvaluation: ~Copyable {
    private let compiled: CompiledRules
    private(set) var view: EventView
    /// Warnings about look-ups that failed.
    private(set) var warnings: [MobileRulesWarning] = []

    /// The matching rules found by ``consequences()``.
    private(set) var matched: [Int] = []

    /// Per slot, the index of its value in `values`; 0 if the value is missing, negative if it was not read yet.
    private var positions: Rows<Int32>
    /// The values that were read. Index 0 represents missing values.
    private var values: MobileValues
    /// Slots with a value, in the order in which they were read.
    private var present: [Int32] = []
    /// Equalities that hold, found through the index.
    private var equal: [Int32] = []
    /// Whether a warning about the event history was added. All failed look-ups of an event share one warning.
    private var hasWarnedOfHistory = false
    /// Per predicate: undecided, fails, or holds.
    private var answers: Rows<UInt8>
    /// The cost that is left for comparisons with long texts.
    private(set) var comparisonRoom: Int
    /// Whether a comparison was abandoned.
    private var hasGivenUp = false

    init(
        _ compiled: CompiledRules, _ view: EventView, comparisonRoom: Int = MobileRulesLimits.comparedLength
    ) {
        self.comparisonRoom = comparisonRoom
        self.compiled = compiled
        self.view = view
        positions = Rows(copying: compiled.initialPositions)
        answers = Rows(repeating: 0, count: compiled.predicates.count)
        values = MobileValues(capacity: 32, textCapacity: 480)
        present.reserveCapacity(32)
        values.appendMissing()
        readData()
    }

    private mutating func readData() {
        guard let data = view.event.data else {
            // In an event without data, every plain key reads as an empty text.
            compiled.comparisons.appendShared("", to: &values)
            for slot in compiled.dataSlots { positions[Int(slot)] = 1 }
            present = compiled.dataSlots
            return
        }
        let compiled = compiled
        _ = EventData.forEachLeaf(of: data, descend: { compiled.dataNames.hasLeaf(below: $0) }) { name, value in
            guard let slot = compiled.dataSlot(named: name) else { return }
            // If two paths have the same name, the later path counts.
            if positions[slot] == SlotPosition.missing { present.append(Int32(slot)) }
            positions[slot] = Int32(values.count)
            compiled.comparisons.append(value, in: slot, to: &values)
        }
    }

    /// Numbers of the rules that the event matches, ascending.
    mutating func matchingRules() -> [Int] {
        if view.exceedsLimits {
            warnings.append(.exceedsLimits)
            return []
        }
        var matching: [Int] = []
        let candidates = candidates()
        matching.reserveCapacity((0..<candidates.count).reduce(0) { $0 + candidates[$1].nonzeroBitCount })
        for word in 0..<candidates.count {
            var bits = candidates[word]
            while bits != 0 {
                let rule = word &<< 6 | bits.trailingZeroBitCount
                bits &= bits &- 1
                if holds(compiled.entries[rule]) { matching.append(rule) }
            }
        }
        return matching
    }

    /// The consequences of the matching rules, in order, with their tokens replaced.
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
                    "the tokens of this event, and the events it dispatches, exceed "
                        + "\(MobileRulesLimits.expandedLength) bytes; later consequences that have "
                        + "tokens are left out.", ruleIndex: leftOut))
        }
        return consequences
    }

    /// Whether a rule's steps end with a match.
    private mutating func holds(_ entry: Int32) -> Bool {
        var next = entry
        while next >= 0 {
            let step = compiled.steps[Int(next)]
            next = holds(predicate: Int(step.predicate)) ? step.onTrue : step.onFalse
        }
        return next == Step.holds
    }

    @inline(__always)
    private mutating func holds(predicate number: Int) -> Bool {
        let known = answers[number]
        return known != 0 ? known == 2 : decide(number)
    }

    /// The answer of a predicate that was not evaluated yet.
    @inline(never)
    private mutating func decide(_ number: Int) -> Bool {
        let predicate = compiled.predicates[number]
        let answer: Bool
        if predicate.slot < 0 {
            answer = holds(compiled.historicals[number - compiled.comparisons.count])
        } else {
            let slot = Int(predicate.slot)
            if predicate.isVolatile { positions[slot] = SlotPosition.unread }
            let position = position(of: slot)
            if position == 0 {
                answer = predicate.holdsWhenMissing
            } else if predicate.isLookedUp {
                // Reading the slot has already answered the equalities that hold.
                answer = answers[number] == 2
            } else {
                answer = canCompare(number, position) && compiled.comparisons.holds(number, on: position, of: values)
            }
            if predicate.isVolatile { return answer }
        }
        answers[number] = answer ? 2 : 1
        return answer
    }

    /// Deducts the cost of a comparison. Returns `false` if not enough is left.
    @inline(__always)
    private mutating func canCompare(_ number: Int, _ position: Int) -> Bool {
        let visits = compiled.comparisons.visits(number, on: position, of: values)
        return visits == 0 || take(visits)
    }

    @inline(never)
    private mutating func take(_ visits: Int) -> Bool {
        guard visits <= comparisonRoom else {
            if !hasGivenUp { warnings.append(.comparedTooMuch) }
            hasGivenUp = true
            return false
        }
        comparisonRoom -= visits
        return true
    }

    private mutating func holds(_ condition: Condition.Historical) -> Bool {
        let search = HistoricalSearch(condition: condition, now: view.environment.now)
        do {
            return condition.comparison.matches(try search.result(&view.lookups), condition.value)
        } catch {
            if !hasWarnedOfHistory {
                hasWarnedOfHistory = true
                warnings.append(
                    MobileRulesWarning(at: "event history", "a look-up failed, so conditions see -1. \(error.forLog)"))
            }
            return condition.comparison.matches(-1, condition.value)
        }
    }

    /// The index of the slot's value; 0 if it is missing.
    @inline(__always)
    private mutating func position(of slot: Int) -> Int {
        let known = positions[slot]
        return known != SlotPosition.unread ? Int(known) : read(slot)
    }

    private mutating func read(_ slot: Int) -> Int {
        guard let value = view.value(of: compiled.slots[slot]) else {
            positions[slot] = SlotPosition.missing
            return 0
        }
        append(value, in: slot)
        lookUp(slot)
        return Int(positions[slot])
    }

    private mutating func append(_ value: JSValue, in slot: Int) {
        positions[slot] = Int32(values.count)
        present.append(Int32(slot))
        compiled.comparisons.append(value, in: slot, to: &values)
    }

    /// Reads the members of a shared state that are used to find rules.
    private mutating func read(_ slots: StateSlots) {
        guard let state = view.state(slots.name) else { return }
        slots.forEachLeaf(of: state) { append($1, in: Int($0)) }
    }

    /// The rules that the event can match, as bits.
    private mutating func candidates() -> Rows<UInt64> {
        for state in compiled.states { read(state) }
        var found = Rows(copying: compiled.index.always)
        for slot in present { lookUp(Int(slot)) }
        for place in compiled.index.specialSlots.indices {
            _ = position(of: Int(compiled.index.specialSlots[place]))
        }
        for slot in present {
            for place in compiled.index.slots[Int(slot)].predicates.indices
            where holds(predicate: Int(compiled.index.numbers[place])) {
                compiled.index.mark(compiled.index.numbers[place], in: &found)
            }
        }
        for predicate in equal { compiled.index.mark(predicate, in: &found) }
        for place in compiled.index.whenMissing.indices {
            let missing = compiled.index.whenMissing[place]
            if positions[Int(missing.slot)] == SlotPosition.missing {
                compiled.index.mark(missing.predicate, in: &found)
            }
        }
        return found
    }

    /// Looks up the equalities of a slot that has a value.
    private mutating func lookUp(_ slot: Int) {
        let start = equal.count
        compiled.comparisons.findEqualities(of: slot, on: Int(positions[slot]), of: values, into: &equal)
        for place in start..<equal.count { answers[Int(equal[place])] = 2 }
    }
}

extension MobileRulesWarning {
    fileprivate static let comparedTooMuch = MobileRulesWarning(
        at: "event data",
        "its long texts are compared with too many values: comparisons beyond "
            + "\(MobileRulesLimits.comparedLength) bytes "
            + "are given up, and their conditions do not hold.")
}
