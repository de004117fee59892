internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    case absent, undefined, null, boolean, number, string, array, object
}

/// One attribute in the forms that comparisons read. Texts lie in the pool of their ``ResolvedAttributes``.
struct ResolvedAttribute: Sendable {
    /// The number, if it counts as one; 1 or 0 of a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = PoolRange()
    /// The lowercase of it.
    var lowercase = PoolRange()
    /// Where the whole value is in the object it came from.
    var member: Int32 = 0
    var kind = AttributeKind.absent
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumeric = false
}

/// A visitor's attributes, or a location's, in the slots of an ``AttributeTable``, with the forms prepared that some
/// condition reads, and the verdicts that were reached on them. Made once per context.
///
/// Unchecked because its storage is mutable memory; it is written only by whoever holds the only reference to it.
package struct ResolvedAttributes: @unchecked Sendable {
    private var storage: AttributeStorage

    /// Resolves `object` by the names that `program` reads, in time linear to the object and to the texts that rules read.
    ///
    /// - Parameter verdictCount: for how many rule sets a verdict can be remembered.
    init(_ object: borrowing JSObject, in program: borrowing RuleProgram, verdictCount: Int = 0) {
        let count = object.count
        let names = program.attributes
        let made = AttributeStorage.make(
            slots: names.count, verdicts: verdictCount, poolCapacity: count * 24, source: object)
        let index = object.withMembers { made.resolve($0, from: 0, by: names) }
        storage = made
        if index < count { resolveOthers(of: object, from: index, by: names) }
    }

    /// Resolves the members of `object` from `start` on, whose texts need more room.
    @inline(never)
    private mutating func resolveOthers(of object: JSObject, from start: Int, by names: FrozenAttributeTable.View) {
        var index = start
        var room = 64
        while index < object.count {
            room *= 2
            storage = storage.copy(reserving: room)
            index = object.withMembers { storage.resolve($0, from: index, by: names) }
        }
    }

    /// One value in slot 0, in every form; `nil` is ECMAScript's `undefined`.
    init(_ value: JSValue?) {
        let source: JSObject = value.map { ["": $0] } ?? [:]
        var storage = AttributeStorage.make(slots: 1, verdicts: 0, poolCapacity: 64, source: source)
        var room = 64
        while true {
            let attribute =
                if let value {
                    storage.resolve(value, needs: [.text, .lowercase, .number])
                } else {
                    storage.append("undefined").map {
                        ResolvedAttribute(text: $0.range, lowercase: $0.range, kind: .undefined)
                    }
                }
            if let attribute {
                storage[0] = attribute
                break
            }
            room *= 2
            storage = storage.copy(reserving: room)
        }
        self.storage = storage
    }

    /// Lends the attributes.
    @inline(__always)
    func lend<Result>(_ body: (LentAttributes) -> Result) -> Result {
        storage.withContents { header, contents in
            body(
                LentAttributes(
                    slots: UnsafeBufferPointer(start: contents.slots, count: header.pointee.slotCount),
                    pool: UnsafeBufferPointer(start: contents.pool, count: header.pointee.poolCount), owner: storage))
        }
    }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined.
    func value(in slot: Int) -> JSValue? {
        switch storage[slot].kind {
        case .absent, .undefined: nil
        default: storage.value(in: slot)
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

    /// Remembers the verdict of rule set `index`.
    @inline(__always)
    mutating func remember(_ verdict: RuleVerdict, at index: Int) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        storage[verdict: index] = verdict.rawValue &+ 1
    }

    /// Forgets all verdicts.
    mutating func forgetVerdicts() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        storage.clearVerdicts()
    }
}
