internal import ConvertECMAScript

/// A visitor's or a location's attributes, in the slots of an ``AttributeSlots`` and in the forms that conditions read,
/// with cached truths and verdicts. Created once per context.
///
/// An attribute is resolved when the first condition reads it, because most decisions read few attributes. If attribute
/// names are not case-sensitive, all attributes are resolved at once.
///
/// `Sendable` is unchecked because the rows are mutable memory. It is safe because they have a single owner.
package struct Attributes: ~Copyable, @unchecked Sendable {
    /// The number of comparisons whose answers are cached. More would cost every context too much memory under a large
    /// config.
    static let keptTruths = 16_384

    private let rows: AttributeRows
    private var origin: AttributeSource
    /// Whether a sweep has stored its verdicts.
    private(set) var hasSweptVerdicts = false

    /// Creates attributes from the members of `object` that `program` reads.
    @inline(__always)
    init(_ object: consuming JSObject, in program: RuleProgram) {
        let answersForItself = program.semantics.takesNamedAttributesForRuleData && object.isNamedRuleData
        rows = AttributeRows(program.attributes)
        origin = AttributeSource(object)
        if answersForItself {
            lend(by: program) { $0.markAllAbsent() }
        } else if !program.slots.isCaseSensitive {
            lend(by: program) { $0.resolveAll() }
        }
    }

    /// Creates attributes with a single value in slot 0, in the forms that rules of `slot` of `program` read. `nil` is
    /// ECMAScript's `undefined`, or an absent attribute under semantics that compare absent attributes.
    init(_ value: JSValue?, comparedIn slot: Int, of program: RuleProgram) {
        rows = AttributeRows(AttributeLayout(slotCount: 1))
        origin = AttributeSource(value.map { ["": $0] } ?? JSObject())
        lend(by: program) { $0.resolve(value, comparedIn: slot) }
    }

    private init(copying attributes: borrowing Attributes) {
        rows = attributes.rows.copy()
        origin = AttributeSource(copying: attributes.origin)
        hasSweptVerdicts = attributes.hasSweptVerdicts
    }

    /// Calls `body` with a resolver for the rules of `program`.
    @inline(__always)
    mutating func lend<Result>(by program: RuleProgram, _ body: (AttributeResolver) -> Result) -> Result {
        withExtendedLifetime(program) {
            withBorrowedValue(&origin) { body(AttributeResolver(rows.table, $0, program)) }
        }
    }

    /// A copy, including the answers found so far.
    package func copy() -> Attributes { Attributes(copying: self) }

    /// The whole value of the attribute in `slot` of `program`; `nil` if it is absent or undefined.
    func value(in slot: Int, of program: RuleProgram) -> JSValue? {
        if rows.table[slot].kind != .unresolved {
            return rows.table.member(in: slot).map { origin.object.members[$0].value }
        }
        return slot == AttributeSlots.nameless ? nil : origin.object[program.slots.key(at: slot)]
    }

    var source: JSObject { origin.object }

    @inline(__always)
    func verdict(at index: Int) -> RuleVerdict? {
        let stored = rows.table[verdict: index]
        return stored == 0 ? nil : RuleVerdict(rawValue: stored &- 1)
    }

    /// The number of rule sets at `indices` that match; `nil` unless a plain match or no match is cached for each.
    ///
    /// - Parameter indices: indices below the layout's number of verdicts.
    @inline(__always)
    borrowing func matchCount(of indices: Borrowed<Int32>) -> Int? {
        // No branch on the verdicts: the processor would mispredict it half of the time (W2).
        let verdicts = rows.table.verdicts
        var matched = 0
        var others: UInt8 = 0
        for index in indices {
            let verdict = verdicts[Int(index)] &- 1
            others |= verdict & ~RuleVerdict.matched.rawValue
            matched &+= Int(verdict & RuleVerdict.matched.rawValue)
        }
        return others == 0 ? matched : nil
    }

    mutating func markSwept() { hasSweptVerdicts = true }

    /// Clears all truths and verdicts, and keeps the resolved attributes.
    package mutating func forgetAnswers() {
        rows.table.clearAnswers()
        hasSweptVerdicts = false
    }
}

extension JSObject {
    private static let name = PropertyKey("name")

    /// Whether the reference treats the object as rule data, because its `name` is "RuleData".
    var isNamedRuleData: Bool {
        guard case .string(let name)? = self[Self.name] else { return false }
        return name.hasSameCodeUnits(as: "RuleData")
    }
}
