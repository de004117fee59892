internal import ConvertECMAScript
internal import ConvertValues

/// Rules made ready for evaluation.
///
/// Conditions that ask the same of an event are one predicate, decided at most once per event. A rule is a chain of steps
/// over predicates: each names the step that follows if it holds and the one that follows if not.
final class CompiledRules: Sendable {
    let rules: [CompiledRule]
    /// The keys that predicates read.
    let slots: [KeyReference]
    /// The keys as they are written, by slot.
    let names: KeyTable
    /// The slots that are members of the event's data.
    let dataSlots: [Int32]
    /// Their names.
    let dataNames: LeafNames
    /// The shared states by whose members rules are found.
    let states: [StateSlots]
    /// Per slot, whether it is missing until the data or its shared state is read, or read when it is asked for.
    let initialPositions: Rows<Int32>
    /// The predicates that are comparisons, by number.
    let comparisons: MobileProgram
    /// First the comparisons, then the historical conditions.
    let predicates: Rows<Predicate>
    let historicals: [Condition.Historical]
    let steps: Rows<Step>
    /// Where the steps of each rule begin.
    let entries: Rows<Int32>
    let index: RuleIndex

    /// Nothing matches.
    static let none = CompiledRules([], semantics: .standard)

    /// Prepares `rules`.
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

/// Where the value of a slot lies among an event's values, if not at a number above zero.
enum SlotPosition {
    static let missing: Int32 = 0
    static let unread: Int32 = -1
}

/// One rule and what follows when its steps end well.
struct CompiledRule: Sendable {
    let rule: MobileRule
    let consequences: [ConsequenceTemplate]
}

/// One step of a rule: which predicate is asked, and where to go on.
struct Step: Sendable, BitwiseCopyable {
    /// While rules are compiled, the number of a historical condition is turned negative.
    let predicate: Int32
    let onTrue: Int32
    let onFalse: Int32

    /// Where steps end.
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

    /// The step once it is known behind how many comparisons the historical conditions are numbered.
    func resolved(comparisonCount: Int) -> Step {
        predicate >= 0
            ? self : Step(predicate: Int32(comparisonCount) + ~predicate, onTrue: onTrue, onFalse: onFalse)
    }
}

/// A question to an event, to be answered at most once.
struct Predicate: Sendable, BitwiseCopyable {
    /// The slot that a comparison reads; negative for a historical condition.
    let slot: Int32
    /// The answer if the slot is missing.
    let holdsWhenMissing: Bool
    /// Whether the answer comes from the index: once a slot is read, its equalities that hold are looked up and the others
    /// fail.
    let isLookedUp: Bool
    /// Whether the key gives another value each time it is read, so that answers must not be kept.
    let isVolatile: Bool

    static let historical = Predicate(slot: -1, holdsWhenMissing: false, isLookedUp: false, isVolatile: false)
}
