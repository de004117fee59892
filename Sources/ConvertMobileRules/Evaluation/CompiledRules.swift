internal import ConvertECMAScript
internal import ConvertValues

/// Rules that are compiled for evaluation.
///
/// Conditions that ask the same question share one predicate, which is answered at most once per event. A rule is a
/// chain of steps over predicates: each step names the next step if the predicate holds, and the next step if it does
/// not.
final class CompiledRules: Sendable {
    let rules: [CompiledRule]
    /// The keys that predicates read.
    let slots: [KeyReference]
    /// The keys as written in the rules, by slot.
    let names: KeyTable
    /// The slots for members of the event's data.
    let dataSlots: [Int32]
    /// The names of those members.
    let dataNames: LeafNames
    /// The shared states whose members are used to find rules.
    let states: [StateSlots]
    /// The initial position of each slot: missing, if the slot is filled when the data or its shared state is read;
    /// otherwise unread.
    let initialPositions: Rows<Int32>
    /// The predicates that are comparisons, by number.
    let comparisons: MobileProgram
    /// All predicates: first the comparisons, then the historical conditions.
    let predicates: Rows<Predicate>
    let historicals: [Condition.Historical]
    let steps: Rows<Step>
    /// The first step of each rule.
    let entries: Rows<Int32>
    let index: RuleIndex

    /// Rules that never match.
    static let none = CompiledRules([], semantics: .standard)

    /// Compiles `rules`.
    init(_ rules: [MobileRule], semantics: MobileRulesSemantics) {
        var compiler = RuleCompiler(semantics: semantics, ruleCount: rules.count)
        for rule in rules { compiler.compile(rule.condition) }
        self.rules = rules.map { CompiledRule(rule: $0, consequences: $0.consequences.map(ConsequenceTemplate.init)) }
        slots = compiler.slots
        let dataSlots = compiler.slots.indices.filter { compiler.slots[$0].isData }
        self.dataSlots = dataSlots.map { Int32($0) }
        dataNames = LeafNames(dataSlots.map { compiler.names.keys[$0] })
        let shapes = compiler.shapes
        let comparisons = compiler.takeComparisons()
        var missing = MobileValues()
        comparisons.appendShared(nil, to: &missing)
        let predicates =
            shapes.enumerated().map { number, comparison in
                let isVolatile = compiler.isVolatile(comparison.slot)
                return Predicate(
                    slot: Int32(comparison.slot), holdsWhenMissing: comparisons.holds(number, on: 0, of: missing),
                    isLookedUp: comparison.matcher == .equals && !isVolatile, isVolatile: isVolatile)
            } + compiler.historicals.map { _ in Predicate.historical }
        self.predicates = Rows(predicates)
        historicals = compiler.historicals
        steps = Rows(compiler.steps.map { $0.resolved(comparisonCount: comparisons.count) })
        entries = Rows(compiler.entries)
        self.comparisons = comparisons
        let index = RuleIndex(compiler, shapes, predicates)
        states = StateSlots.grouping(compiler.slots) { index.slots[$0].findsRules }
        initialPositions = Rows(
            compiler.slots.enumerated().map { slot, key in
                switch key {
                case .data: SlotPosition.missing
                case .state where index.slots[slot].findsRules: SlotPosition.missing
                default: SlotPosition.unread
                }
            })
        self.index = index
        names = compiler.names
    }

    /// The slot of a member of the event's data, or `nil` if no predicate reads it.
    func dataSlot(named name: PropertyKey) -> Int? {
        names.index(of: name).flatMap { index.slots[$0].isData ? $0 : nil }
    }
}

/// The positions of slots without a value. The position of a slot with a value is its index in the event's values,
/// which is above zero.
enum SlotPosition {
    static let missing: Int32 = 0
    static let unread: Int32 = -1
}

/// One rule, and the consequences if its steps end with a match.
struct CompiledRule: Sendable {
    let rule: MobileRule
    let consequences: [ConsequenceTemplate]
}

/// One step of a rule: the predicate to check, and the next steps.
struct Step: Sendable, BitwiseCopyable {
    /// While rules are compiled, the numbers of historical conditions are negative.
    let predicate: Int32
    let onTrue: Int32
    let onFalse: Int32

    /// The end of the steps.
    static let holds: Int32 = -1
    static let fails: Int32 = -2

    init(predicate: Int32, onTrue: Int32, onFalse: Int32) {
        self.predicate = predicate
        self.onTrue = onTrue
        self.onFalse = onFalse
    }

    init(historical number: Int32, onTrue: Int32, onFalse: Int32) {
        self.init(predicate: ~number, onTrue: onTrue, onFalse: onFalse)
    }

    /// The step with the final number of its predicate: historical conditions follow all comparisons.
    func resolved(comparisonCount: Int) -> Step {
        predicate >= 0
            ? self : Step(predicate: Int32(comparisonCount) + ~predicate, onTrue: onTrue, onFalse: onFalse)
    }
}

/// A question about an event, which is answered at most once.
struct Predicate: Sendable, BitwiseCopyable {
    /// The slot that a comparison reads; negative for a historical condition.
    let slot: Int32
    /// The answer if the slot is missing.
    let holdsWhenMissing: Bool
    /// Whether a look-up answers the predicate: reading the slot finds all of its equalities that hold, and the others
    /// fail.
    let isLookedUp: Bool
    /// Whether the key has a new value at each reading. Answers are not cached then.
    let isVolatile: Bool

    static let historical = Predicate(slot: -1, holdsWhenMissing: false, isLookedUp: false, isVolatile: false)
}
