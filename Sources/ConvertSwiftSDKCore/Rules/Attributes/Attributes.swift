internal import ConvertECMAScript

/// A visitor's attributes, or a location's, in the slots of an ``AttributeSlots``, with the forms prepared that some
/// condition reads, and the truths and verdicts that were found on them. Made once per context.
///
/// An attribute is resolved when the first condition reads it, because most decisions read few. Only where the case of
/// names does not count all are resolved at once.
///
/// Unchecked because its rows are mutable memory, which has no other owner.
package struct Attributes: ~Copyable, @unchecked Sendable {
    /// So many comparisons of a program are remembered. A config with more of them would cost every context its memory.
    static let keptTruths = 16_384

    private let rows: AttributeRows
    private var origin: AttributeSource

    /// The attributes of `object` that `program` reads.
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

    /// One value in slot 0, in the forms that are asked for there, as rules compare it in `slot` of `program`; `nil` is
    /// ECMAScript's `undefined`, or an absent attribute where absent ones are compared.
    init(_ value: JSValue?, comparedIn slot: Int, of program: RuleProgram) {
        rows = AttributeRows(AttributeLayout(slots: 1))
        origin = AttributeSource(value.map { ["": $0] } ?? JSObject())
        lend(by: program) { $0.resolve(value, comparedIn: slot) }
    }

    private init(copying attributes: borrowing Attributes) {
        rows = attributes.rows.copy()
        origin = AttributeSource(copying: attributes.origin)
    }

    /// Passes the attributes to `body`, to be resolved by the rules of `program`.
    @inline(__always)
    mutating func lend<Result>(by program: RuleProgram, _ body: (AttributeResolver) -> Result) -> Result {
        withExtendedLifetime(program) {
            withUnsafeMutablePointer(to: &origin) { origin in
                rows.withTable { body(AttributeResolver($0, origin, program)) }
            }
        }
    }

    /// The same attributes, with what was found on them so far.
    package func copy() -> Attributes { Attributes(copying: self) }

    /// The whole value of the attribute in `slot` of `program`; `nil` if it is absent or undefined.
    func value(in slot: Int, of program: RuleProgram) -> JSValue? {
        if let known = rows.withTable({ $0.slots[slot].kind != .unresolved ? .some($0.member(in: slot)) : nil }) {
            return known.map { origin.object.members[$0].value }
        }
        return slot == AttributeSlots.nameless ? nil : origin.object[program.slots.key(at: slot)]
    }

    /// The object that was resolved.
    var source: JSObject { origin.object }

    /// The remembered verdict of rule set `index`.
    @inline(__always)
    func verdict(at index: Int) -> RuleVerdict? {
        let stored = rows.withTable { $0[verdict: index] }
        return stored == 0 ? nil : RuleVerdict(rawValue: stored &- 1)
    }

    /// How many of the rule sets at `indices` match, if it is remembered of each whether it does.
    ///
    /// - Parameter indices: each below the number of verdicts that there is room for.
    @inline(__always)
    borrowing func matchCount(of indices: UnsafeBufferPointer<Int32>) -> Int? {
        rows.withTable { table in
            // Without a branch on the answers, which would be guessed wrong half of the time (W2).
            let verdicts = table.verdicts
            var matched = 0
            var others: UInt8 = 0
            for index in indices {
                let verdict = verdicts[Int(index)] &- 1
                others |= verdict & ~RuleVerdict.matched.rawValue
                matched &+= Int(verdict & RuleVerdict.matched.rawValue)
            }
            return others == 0 ? matched : nil
        }
    }

    /// Whether the verdicts that a sweep finds are remembered.
    var hasSweptVerdicts: Bool { rows.withTable { $0.hasSweptVerdicts } }

    /// Notes that the verdicts that a sweep finds are remembered.
    mutating func markSwept() { rows.withTable { $0.hasSweptVerdicts = true } }

    /// Forgets all truths and verdicts, and keeps what was resolved.
    package mutating func forgetAnswers() { rows.withTable { $0.clearAnswers() } }
}

extension JSObject {
    private static let name = PropertyKey("name")

    /// Whether the reference takes the object for one that answers for itself: it goes by the object's `name`.
    var isNamedRuleData: Bool {
        guard case .string(let name)? = self[Self.name] else { return false }
        return name.hasSameCodeUnits(as: "RuleData")
    }
}
