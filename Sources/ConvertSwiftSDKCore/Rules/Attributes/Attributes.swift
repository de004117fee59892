internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    /// Nobody has looked yet. The first case, so that memory of zeros holds attributes of this kind.
    case unresolved
    case absent, undefined, null, boolean, number, string, array, object

    /// The kind of `value`; `nil` is ECMAScript's `undefined`.
    init(of value: JSValue?) {
        switch value {
        case nil: self = .undefined
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

/// One attribute in the forms that comparisons read, as far as some condition needs them.
struct Attribute: Sendable, BitwiseCopyable {
    /// The number, if it counts as one; 1 or 0 of a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = TableRange()
    /// The lowercase of it.
    var lowercase = TableRange()
    /// Number of the lowercase among the texts that rules name; 0 if none names it.
    var equalNumber: UInt32 = 0
    /// Number of the text as it is.
    var listNumber: UInt32 = 0
    /// The ``TextPairs`` of the lowercase.
    var pairs: UInt32 = 0
    /// The first four bytes of the lowercase, the first one lowest, and zeros where there are fewer.
    var beginning: UInt32 = 0
    /// Where the whole value is in the object it came from.
    var member: Int32 = 0
    /// What is noted last, when all else is there.
    var kind = AttributeKind.unresolved {
        didSet { isScalar = AttributeKind.undefined.rawValue...AttributeKind.string.rawValue ~= kind.rawValue }
    }
    /// Whether it was resolved, and is no array or object, and not absent.
    private(set) var isScalar = false
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumber = false
    private var traits: UInt8 = 0

    init(member: Int32 = 0) { self.member = member }

    /// Whether ToString throws: then nothing that reads the text holds, negated or not.
    var isTextless: Bool {
        get { traits & 1 != 0 }
        set { traits = newValue ? traits | 1 : traits & ~1 }
    }

    /// Whether the text has a `|`, at which it is split where lists are searched.
    var hasBar: Bool {
        @inline(__always) get { traits & 2 != 0 }
        set { traits = newValue ? traits | 2 : traits & ~2 }
    }

    /// Whether the value is an empty text.
    var isEmptyText: Bool {
        get { traits & 4 != 0 }
        set { traits = newValue ? traits | 4 : traits & ~4 }
    }
}

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
    ///
    /// - Parameter verdictCount: for how many rule sets a verdict can be remembered.
    init(_ object: consuming JSObject, in program: borrowing RuleProgram, verdictCount: Int = 0) {
        let tables = program.tables
        let slotCount = tables.pointee.slots.count
        let answersForItself = program.semantics.takesNamedAttributesForRuleData && object.isNamedRuleData
        // Enough for most texts that are copied, and so little that allocators serve it from what a thread has at hand.
        let textCapacity = min(object.count, tables.pointee.slots.copiedCount) * 8 + 32
        storage = AttributeStorage(
            object, slots: slotCount, truths: min(tables.pointee.comparisons.count, Self.keptTruths),
            verdicts: verdictCount, textCapacity: textCapacity)
        if answersForItself {
            storage.table.pointee.markAllAbsent(by: tables)
        } else if !tables.pointee.slots.isCaseSensitive {
            storage.table.pointee.resolveAll(by: tables)
        }
    }

    /// One value in slot 0, in the forms that are asked for there, as rules compare it in `slot` of `program`; `nil` is ECMAScript's `undefined`.
    init(_ value: JSValue?, comparedIn slot: Int, of program: RuleProgram) {
        storage = AttributeStorage(
            value.map { ["": $0] } ?? JSObject(), slots: 1, truths: 0, verdicts: 0, textCapacity: 64)
        storage.table.pointee.resolve(value, comparedIn: slot, by: program.tables)
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
        case .unresolved: return source[program.tables.pointee.slots.key(at: slot).pointee]
        default: return table.value(in: slot)
        }
    }

    /// The object that was resolved.
    var source: JSObject { storage.source }

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

    /// Forgets what was skipped, which another call may find out. Apart, because few calls skip something.
    @inline(never)
    mutating func forgetSkipped() { lend { $0.pointee.clearSkipped() } }

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
