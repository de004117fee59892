internal import ConvertECMAScript

/// A visitor's attributes, or a location's, in the slots of an ``AttributeSlots``, with the forms prepared that some
/// condition reads, and the truths and verdicts that were found on them. Made once per context.
///
/// An attribute is resolved when the first condition reads it, because most decisions read few. Only where the case of
/// names does not count all are resolved at once.
///
/// Unchecked because its storage is mutable memory, which nobody else has.
package struct Attributes: ~Copyable, @unchecked Sendable {
    /// So many comparisons of a program are remembered. A config with more of them would cost every context its memory.
    static let keptTruths = 16_384

    private let storage: AttributeStorage

    /// The attributes of `object` that `program` reads.
    @inline(__always)
    init(
        _ object: consuming JSObject, in program: borrowing RuleProgram,
        _ binding: consuming ProjectBinding = ProjectBinding()
    ) {
        let answersForItself = program.semantics.takesNamedAttributesForRuleData && object.isNamedRuleData
        // Enough for most texts that are copied, and so little that allocators serve it from what a thread has at hand.
        let textCapacity = min(object.count, program.slots.copiedCount) &* 8 &+ 32
        storage = AttributeStorage(object, program.attributes, textCapacity: textCapacity, binding)
        if answersForItself {
            storage.table.pointee.markAllAbsent(by: program)
        } else if !program.slots.isCaseSensitive {
            storage.table.pointee.resolveAll(by: program)
        }
    }

    /// One value in slot 0, in the forms that are asked for there, as rules compare it in `slot` of `program`; `nil` is
    /// ECMAScript's `undefined`, or an absent attribute where absent ones are compared.
    init(_ value: JSValue?, comparedIn slot: Int, of program: RuleProgram) {
        storage = AttributeStorage(
            value.map { ["": $0] } ?? JSObject(), AttributeLayout(slots: 1), textCapacity: 64)
        storage.table.pointee.resolve(value, comparedIn: slot, by: program)
    }

    /// Lends the attributes.
    @inline(__always)
    mutating func lend<Result>(_ body: (UnsafeMutablePointer<AttributeTable>) -> Result) -> Result {
        // The storage lives as long as the call that lends, which nothing else can write to meanwhile.
        body(storage.table)
    }

    private init(_ storage: consuming AttributeStorage) { self.storage = storage }

    /// The same attributes, with what was found on them so far.
    package func copy() -> Attributes { Attributes(storage.copy()) }

    /// The whole value of the attribute in `slot` of `program`; `nil` if it is absent or undefined.
    func value(in slot: Int, of program: RuleProgram) -> JSValue? {
        switch table.slots[slot].kind {
        case .unresolved where slot == AttributeSlots.nameless: return nil
        case .unresolved: return source[program.slots.key(at: slot)]
        default: return table.value(in: slot)
        }
    }

    /// The object that was resolved.
    var source: JSObject { storage.source }

    /// What of a visitor's is bound to the project besides.
    var binding: ProjectBinding {
        @inline(__always) _read { yield storage.binding }
        @inline(__always) _modify { yield &storage.binding }
    }

    /// The remembered verdict of rule set `index`.
    @inline(__always)
    func verdict(at index: Int) -> RuleVerdict? {
        let stored = table[verdict: index]
        return stored == 0 ? nil : RuleVerdict(rawValue: stored &- 1)
    }

    /// How many of the rule sets at `indices` match, if it is remembered of each whether it does.
    ///
    /// - Parameter indices: each below the number of verdicts that there is room for.
    @inline(__always)
    borrowing func matchCount(of indices: UnsafeBufferPointer<Int32>) -> Int? {
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

    /// Whether the verdicts that a sweep finds are remembered.
    var hasSweptVerdicts: Bool { table.hasSweptVerdicts }

    /// Notes that the verdicts that a sweep finds are remembered.
    mutating func markSwept() { lend { $0.pointee.hasSweptVerdicts = true } }

    /// Forgets all truths and verdicts, and keeps what was resolved.
    package mutating func forgetAnswers() { lend { $0.pointee.clearAnswers() } }

    /// The attributes where they lie, to be read.
    private var table: AttributeTable {
        @inline(__always) get { storage.table.pointee }
    }
}

extension JSObject {
    private static let name = PropertyKey("name")

    /// Whether the reference takes the object for one that answers for itself: it goes by the object's `name`.
    var isNamedRuleData: Bool {
        guard case .string(let name)? = self[Self.name] else { return false }
        return name.hasSameCodeUnits(as: "RuleData")
    }
}
