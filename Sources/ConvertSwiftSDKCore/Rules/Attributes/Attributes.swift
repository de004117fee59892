internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    /// Nobody has looked yet. The first case, so that memory of zeros holds attributes of this kind.
    case unresolved
    case absent, undefined, null, boolean, number, string, array, object

    /// Whether it is no array or object, and not absent.
    var isScalar: Bool {
        @inline(__always) get { rawValue >= Self.undefined.rawValue && rawValue <= Self.string.rawValue }
    }

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

/// One attribute in the forms that comparisons read. Texts lie in the pool of their ``Attributes``.
struct Attribute: Sendable {
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
    /// Where the whole value is in the object it came from.
    var member: Int32 = 0
    var kind = AttributeKind.unresolved
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumber = false
    /// Whether ToString throws: then nothing that reads the text holds, negated or not.
    var isTextless = false
    /// Whether the text has a `|`, at which it is split where lists are searched.
    var hasBar = false
}

/// A visitor's attributes, or a location's, in the slots of an ``AttributeSlots``, with the forms prepared that some
/// condition reads, and the truths and verdicts that were found on them. Made once per context.
///
/// An attribute is resolved when the first condition reads it, because most decisions read few. Only where the case of
/// names does not count all are resolved at once.
///
/// Unchecked because its storage is mutable memory; it is written only by whoever holds the only reference to it.
package struct Attributes: @unchecked Sendable {
    /// So many comparisons of a program are remembered. A config with more of them would cost every context its memory.
    static let keptTruths = 16_384

    private var storage: AttributeStorage

    /// The attributes of `object` that `program` reads.
    ///
    /// - Parameter verdictCount: for how many rule sets a verdict can be remembered.
    init(_ object: consuming JSObject, in program: borrowing RuleProgram, verdictCount: Int = 0) {
        let tables = program.tables
        let slotCount = tables.pointee.slots.count
        let isCaseSensitive = tables.pointee.slots.isCaseSensitive
        let answersForItself = program.semantics.takesNamedAttributesForRuleData && object.isNamedRuleData
        storage = AttributeStorage.make(
            slots: slotCount, truths: min(tables.pointee.comparisons.count, Self.keptTruths), verdicts: verdictCount,
            // Enough for most texts that are read, and so little that allocators serve it from what a thread has at hand.
            poolCapacity: min(object.count, slotCount) * 8 + 32)
        storage.keep(object)
        if answersForItself { storage.markAllAbsent(by: tables) } else if !isCaseSensitive { resolveAll(by: tables) }
    }

    @inline(never)
    private mutating func resolveAll(by tables: UnsafePointer<RuleTables>) {
        let source = storage.takeSource()
        source.withView { source in
            var room = 0
            var index = storage.resolveAll(source, from: 0, by: tables)
            while index < source.members.count {
                storage = storage.copyWithMoreRoom(&room)
                index = storage.resolveAll(source, from: index, by: tables)
            }
        }
        storage.keep(source)
    }

    /// One value in slot 0, in every form, as rules compare it in `slot` of `program`; `nil` is ECMAScript's `undefined`.
    init(_ value: JSValue?, comparedIn slot: Int, of program: RuleProgram) {
        storage = AttributeStorage.make(slots: 1, truths: 0, verdicts: 0, poolCapacity: 64)
        var room = 0
        while !storage.resolve(value, comparedIn: slot, by: program.tables) {
            storage = storage.copyWithMoreRoom(&room)
        }
        if let value { storage.keep(["": value]) }
    }

    /// Lends the attributes.
    @inline(__always)
    mutating func lend<Result>(
        _ patterns: UnsafeMutablePointer<PatternBudget>, _ body: (UnsafeMutablePointer<LentAttributes>) -> Result
    ) -> Result {
        makeUnique()
        return withUnsafeMutablePointer(to: &storage) { storage in
            var lent = LentAttributes(storage, patterns)
            return withUnsafeMutablePointer(to: &lent, body)
        }
    }

    /// The whole value of the attribute in `slot` of `program`; `nil` if it is absent or undefined.
    func value(in slot: Int, of program: RuleProgram) -> JSValue? {
        let attribute = storage[slot]
        switch attribute.kind {
        case .unresolved where slot == AttributeSlots.nameless: return nil
        case .unresolved: return source[program.tables.pointee.slots.key(at: slot).pointee]
        case .absent, .undefined: return nil
        default: return source.members[Int(attribute.member)].value
        }
    }

    /// The object that was resolved.
    var source: JSObject { storage.source }

    /// The remembered verdict of rule set `index`.
    @inline(__always)
    func verdict(at index: Int) -> RuleVerdict? {
        guard let stored = storage[verdict: index], stored != 0 else { return nil }
        return RuleVerdict(rawValue: stored &- 1)
    }

    /// Whether rule set `index` matches, if that is remembered and its verdict is nothing but yes or no.
    @inline(__always)
    func knownMatch(at index: Int) -> Bool? {
        // In one comparison, since a branch on the answer is guessed wrong half of the time (W2).
        guard let stored = storage[verdict: index], stored &- 1 <= RuleVerdict.matched.rawValue else { return nil }
        return stored &- 1 == RuleVerdict.matched.rawValue
    }

    /// Remembers the verdict of rule set `index`.
    @inline(__always)
    mutating func remember(_ verdict: RuleVerdict, at index: Int) {
        makeUnique()
        storage[verdict: index] = verdict.rawValue &+ 1
    }

    /// Whether all that a sweep finds is remembered.
    var isSwept: Bool { storage.isSwept }

    /// Notes that all that a sweep finds is remembered.
    mutating func markSwept() {
        makeUnique()
        storage.isSwept = true
    }

    /// Forgets what was skipped, which another call may find out.
    mutating func forgetSkipped() {
        makeUnique()
        storage.clearSkipped()
    }

    /// Forgets all truths and verdicts, and keeps what was resolved.
    package mutating func forgetAnswers() {
        makeUnique()
        storage.clearAnswers()
    }

    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
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
