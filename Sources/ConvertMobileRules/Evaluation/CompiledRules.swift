internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Rules made ready for evaluation.
///
/// Conditions that ask the same of an event are one predicate, decided at most once per event. A rule is a chain of steps
/// over predicates: each names the step that follows if it holds and the one that follows if not.
struct CompiledRules: Sendable {
    let rules: [CompiledRule]
    /// The keys that predicates read.
    let slots: [KeyReference]
    /// Slots of the event's data by name.
    let dataSlots: [PropertyKey: Int32]
    /// The names of the data slots.
    let dataNames: LeafNames
    /// The shared states by whose members rules are found.
    let states: [StateSlots]
    /// Per slot, whether it is missing until the data or its shared state is read, or read when it is asked for.
    let initialPositions: [Int32]
    let predicates: [Predicate]
    let historicals: [Condition.Historical]
    let steps: [Step]
    let index: RuleIndex

    /// Nothing matches.
    static let none = CompiledRules([], semantics: .standard)

    /// Prepares `rules`.
    init(_ rules: [MobileRule], semantics: MobileRulesSemantics) {
        var compiler = RuleCompiler(semantics: semantics, ruleCount: rules.count)
        self.rules = rules.map { compiler.compile($0) }
        slots = compiler.slots
        dataSlots = compiler.dataSlots
        dataNames = LeafNames(compiler.dataSlots.keys)
        let index = RuleIndex(compiler)
        states = StateSlots.grouping(compiler.slots) { index.slots[$0].findsRules }
        initialPositions = compiler.slots.enumerated().map { slot, key in
            switch key {
            case .data: SlotPosition.missing
            case .state where index.slots[slot].findsRules: SlotPosition.missing
            default: SlotPosition.unread
            }
        }
        self.index = index
        predicates = compiler.predicates
        historicals = compiler.historicals
        steps = compiler.steps
    }
}

/// Where the value of a slot lies among an event's values, if not at a number above zero.
enum SlotPosition {
    static let missing: Int32 = 0
    static let unread: Int32 = -1
}

/// One rule: where its steps begin, and what follows when they end well.
struct CompiledRule: Sendable {
    let entry: Int32
    let rule: MobileRule
    let consequences: [ConsequenceTemplate]
}

/// One step of a rule: which predicate is asked, and where to go on.
struct Step: Sendable {
    let predicate: Int32
    let onTrue: Int32
    let onFalse: Int32

    /// Where steps end.
    static let holds: Int32 = -1
    static let fails: Int32 = -2
}

/// A question to an event.
struct Predicate: Sendable {
    enum Kind: Sendable, Equatable {
        case matcher
        case historical(Int)
    }

    let kind: Kind
    let slot: Int32
    let matcher: MobileMatcher
    let operands: ArraySlice<MobileOperand>
    /// The answer if the slot is missing.
    let whenMissing: Bool
    /// Whether the answer comes from the index: once a slot is read, its equalities that hold are looked up and the others
    /// fail.
    var isLookedUp: Bool { kind == .matcher && matcher == .equals && !isVolatile }

    /// Whether the key gives another value each time it is read, so that answers must not be kept.
    let isVolatile: Bool
}
