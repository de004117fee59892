internal import ConvertECMAScript

/// What one evaluation reads: a program and attributes, lent as long as it runs.
///
/// Conditions are compared millions of times a second. Pointers spare them the reference counts that arrays and texts
/// would cost per condition, at which threads that share a project would also wait for each other.
///
/// Invariants: a pointer here, or in a ``ByteText``, lives only inside the ``RuleProgram/lend(_:to:)`` call that lent it, and
/// nobody stores one; that call holds the program and the attributes until it returns, and only
/// ``LentAttributes/resolve(_:by:)`` changes anything meanwhile, with no ``ByteText`` at hand; the program's own indices and
/// ranges lie within its tables, as ``RuleProgramBuilder`` made them, so only slots and texts, which come from two sides, are
/// checked, the texts of attributes against the room for them: only ``AttributeStorage/append(_:)-(String)`` makes their
/// ranges, and only of bytes that are there.
struct AttributeReader {
    private let tables: UnsafePointer<RuleTables>
    private let lent: UnsafeMutablePointer<LentAttributes>

    @inline(__always)
    fileprivate init(_ tables: UnsafePointer<RuleTables>, _ lent: UnsafeMutablePointer<LentAttributes>) {
        self.tables = tables
        self.lent = lent
    }

    var rules: RuleTables {
        @inline(__always) _read { yield tables.pointee }
    }

    var attributes: LentAttributes {
        @inline(__always) _read { yield lent.pointee }
    }

    /// Resolves the attribute in `slot`, one of the table's.
    @inline(__always)
    func resolve(_ slot: Int) { lent.pointee.resolve(slot, by: rules.names) }

    @inline(__always)
    func text(_ attribute: Attribute) -> ByteText { ByteText(attributes.pool, attribute.text) }

    @inline(__always)
    func lowercase(_ attribute: Attribute) -> ByteText { ByteText(attributes.pool, attribute.lowercase) }

    @inline(__always)
    func text(_ operand: PreparedOperand) -> ByteText { ByteText(rules.pool, operand.range) }
}

extension RuleProgram {
    /// Lends the program and `attributes` to `body`.
    @inline(__always)
    func lend<Result>(_ attributes: inout Attributes, to body: (AttributeReader) -> Result) -> Result {
        withExtendedLifetime(self) { attributes.lend { body(AttributeReader(tables, $0)) } }
    }
}

/// Attributes, lent to who may resolve those that nobody has looked at yet.
struct LentAttributes {
    private(set) var slots: UnsafeBufferPointer<Attribute>
    /// Room for texts of attributes; the first of them are there.
    private(set) var pool: UnsafeBufferPointer<UInt8>
    private let source: JSObject.View
    /// The storage, of which nothing here counts a reference, and where its owner has it.
    private var storage: Unmanaged<AttributeStorage>
    private let place: UnsafeMutablePointer<AttributeStorage>

    @inline(__always)
    init(_ place: UnsafeMutablePointer<AttributeStorage>, of source: JSObject.View) {
        self.source = source
        self.place = place
        storage = .passUnretained(place.pointee)
        (slots, pool) = storage._withUnsafeGuaranteedRef { $0.parts }
    }

    fileprivate mutating func resolve(_ slot: Int, by names: FrozenAttributeSlots.View) {
        if !storage._withUnsafeGuaranteedRef({ $0.resolve(slot, of: source, by: names) }) {
            resolveInMoreRoom(slot, by: names)
        }
    }

    @inline(never)
    private mutating func resolveInMoreRoom(_ slot: Int, by names: FrozenAttributeSlots.View) {
        var room = 0
        repeat {
            place.pointee = place.pointee.copyWithMoreRoom(&room)
        } while !place.pointee.resolve(slot, of: source, by: names)
        self = LentAttributes(place, of: source)
    }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined.
    func value(in slot: Int) -> JSValue? {
        guard slot >= 0, slot < slots.count else { return nil }
        switch slots[slot].kind {
        case .unresolved, .absent, .undefined: return nil
        default: return source.members[Int(slots[slot].member)].value
        }
    }
}

extension AttributeStorage {
    /// The slots, and the room for texts.
    fileprivate var parts: (UnsafeBufferPointer<Attribute>, UnsafeBufferPointer<UInt8>) {
        @inline(__always)
        get {
            withContents { header, contents in
                (
                    UnsafeBufferPointer(start: contents.slots, count: header.pointee.slotCount),
                    UnsafeBufferPointer(start: contents.pool, count: header.pointee.poolCapacity)
                )
            }
        }
    }
}
