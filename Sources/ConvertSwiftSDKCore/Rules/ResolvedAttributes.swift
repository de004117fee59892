internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    case absent, undefined, null, boolean, number, string, array, object
}

/// One attribute in the forms that comparisons read. Texts lie in the pool of their ``ResolvedAttributes``.
struct ResolvedAttribute: Sendable {
    var kind = AttributeKind.absent
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumeric = false
    /// The number, if it counts as one; 1 or 0 of a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = PoolRange()
    /// The lowercase of it.
    var lowercase = PoolRange()
    /// Where the whole value is in the object it came from.
    var member = 0
}

/// A visitor's attributes, or a location's, in the slots of an ``AttributeTable``, with the forms prepared that some
/// condition reads, and the verdicts that were reached on them. Made once per context.
///
/// Unchecked because its storage is mutable memory; it is written only by whoever holds the only reference to it.
package struct ResolvedAttributes: @unchecked Sendable {
    private var storage: AttributeStorage

    /// Resolves `object` by `table`, in time linear to the object and to the texts that rules read.
    ///
    /// - Parameter verdictCount: for how many rule sets a verdict can be remembered.
    init(_ object: consuming JSObject, in table: AttributeTable, verdictCount: Int = 0) {
        let poolCapacity = object.count * 24
        storage = AttributeStorage.make(
            slots: table.count, verdicts: verdictCount, poolCapacity: poolCapacity, source: object)
        storage.withMembers { members in
            guard let first = members.baseAddress else { return }
            for index in members.indices {
                guard let key = (first + index).pointer(to: \.key), let slot = table.slot(ofKeyAt: key) else {
                    continue
                }
                // Names that differ in case only meet in one slot if case does not count. An object that was decoded has no
                // order to go by, so of those the smallest counts.
                if storage[slot].kind != .absent {
                    let known = members[storage[slot].member].key.name
                    guard members[index].key.name.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
                }
                var attribute = resolve(members[index].value, needs: table.needs[slot])
                attribute.member = index
                storage[slot] = attribute
            }
        }
    }

    /// One value in slot 0, in every form; `nil` is ECMAScript's `undefined`.
    init(_ value: JSValue?) {
        let source: JSObject = value.map { ["": $0] } ?? [:]
        storage = AttributeStorage.make(slots: 1, verdicts: 0, poolCapacity: 64, source: source)
        var attribute = ResolvedAttribute()
        if let value {
            attribute = resolve(value, needs: [.text, .lowercase, .number])
        } else {
            attribute.kind = .undefined
            attribute.text = append("undefined").range
            attribute.lowercase = attribute.text
        }
        storage[0] = attribute
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

    private mutating func resolve(_ value: JSValue, needs: AttributeNeeds) -> ResolvedAttribute {
        var attribute = ResolvedAttribute()
        switch value {
        case .null:
            attribute.kind = .null
        case .bool(let flag):
            attribute.kind = .boolean
            attribute.number = flag ? 1 : 0
        case .integer(let integer):
            attribute.kind = .number
            attribute.isNumeric = true
            attribute.number = Double(integer)
        case .number(let number):
            attribute.kind = .number
            attribute.isNumeric = number.isFinite
            attribute.number = number
        case .string(let text):
            attribute.kind = .string
            let (range, isLowercase) = append(text)
            attribute.text = range
            attribute.lowercase = isLowercase || !needs.contains(.lowercase) ? range : lowercase(of: range)
            if needs.contains(.number) {
                let number = lend { NumericShape.numericValue(utf8: ByteText($0.pool, attribute.text).bytes) }
                attribute.isNumeric = number != nil
                attribute.number = number ?? 0
            }
        case .array:
            attribute.kind = .array
        case .object:
            attribute.kind = .object
        }
        if attribute.kind != .string, !needs.isDisjoint(with: [.text, .lowercase]) {
            attribute.text = append(ECMAScript.toString(value)).range
            if needs.contains(.lowercase) { attribute.lowercase = lowercase(of: attribute.text) }
        }
        return attribute
    }

    /// Appends a text to the pool, and says whether it is ASCII without capitals, as most texts are.
    private mutating func append(_ text: String) -> (range: PoolRange, isLowercase: Bool) {
        if let range = text.utf8.withContiguousStorageIfAvailable({ append($0) }) { return range }
        var text = text
        return text.withUTF8 { append($0) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> (range: PoolRange, isLowercase: Bool) {
        if let appended = storage.append(bytes) { return appended }
        storage = storage.copy(reserving: bytes.count * 2 + 64)
        return storage.append(bytes) ?? (PoolRange(), true)
    }

    /// The lowercase of a text in the pool, appended to it.
    private mutating func lowercase(of range: PoolRange) -> PoolRange {
        var lower: [UInt8] = []
        lend { ECMAScript.appendLowerCase(utf8: ByteText($0.pool, range).bytes, to: &lower) }
        return lower.withUnsafeBufferPointer { append($0).range }
    }
}
