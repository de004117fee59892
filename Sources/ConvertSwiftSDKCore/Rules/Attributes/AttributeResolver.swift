internal import ConvertECMAScript

/// Resolves attributes into their slots.
///
/// Invariant: a resolver is used only inside the ``Attributes/lend(by:_:)`` call that passes it.
struct AttributeResolver {
    let attributes: AttributeTable
    private let source: BorrowedValue<AttributeSource>
    // Keep these references uncounted: otherwise threads that share a program wait for each other (W1x2).
    private let uncountedProgram: UncountedReference<RuleProgram>
    private let internedTexts: UncountedReference<InternedTexts.Frozen>

    var program: RuleProgram { @inline(__always) get { uncountedProgram.object } }

    @inline(__always)
    init(
        _ attributes: AttributeTable, _ source: BorrowedValue<AttributeSource>, _ program: RuleProgram
    ) {
        self.attributes = attributes
        self.source = source
        uncountedProgram = UncountedReference(program)
        internedTexts = UncountedReference(program.internedTexts)
    }

    @inline(__always)
    func row(at index: Int) -> ComparisonRow { uncountedProgram.withObject { $0.comparisons[index] } }

    /// The text of the program at `range`.
    @inline(__always)
    func ruleText(at range: TableRange) -> ByteText { internedTexts.withObject { $0.bytes.text(at: range) } }

    /// The text at `range`. It is valid until the next text is added.
    @inline(__always)
    func text(at range: TableRange) -> ByteText { source.value.text(at: range) }

    /// Resolves all members of the source object. Used if names are not case-sensitive: names that differ only in case
    /// share a slot.
    func resolveAll() {
        markAllAbsent()
        let members = source.value.object.members
        for (index, member) in members.enumerated() {
            guard let slot = program.slots.slot(ofAnyCase: member.key) else { continue }
            precondition(slot < attributes.layout.slotCount)
            // A decoded object has no defined order, so the smallest of several names for one slot counts.
            if attributes[slot].kind != .absent {
                let known = members[Int(attributes[slot].member)].key.text
                guard member.key.text.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
            }
            attributes[slot] = Attribute()
            resolve(memberAt: index, in: slot, slot)
        }
    }

    func markAllAbsent() {
        for slot in 0..<attributes.layout.slotCount { markAbsent(slot, slot) }
    }

    /// Resolves the attribute in `slot`, which must be a slot of the table.
    @inline(__always)
    func resolve(_ slot: Int) {
        precondition(UInt(bitPattern: slot) < UInt(bitPattern: attributes.layout.slotCount))
        let row = program.slotRows[slot]
        guard slot != AttributeSlots.nameless,
            let index = source.value.object.index(of: program.slotNames.text(at: row.name), hash: row.hash)
        else { return markAbsent(slot, slot) }
        resolve(memberAt: index, in: slot, slot)
    }

    /// The value of the attribute in `slot`; `nil` if it is absent, undefined, or not read yet.
    func value(in slot: Int) -> JSValue? {
        attributes.member(in: slot).map { source.value.object.members[$0].value }
    }

    /// Resolves a single value into slot 0, in the forms of `slot`. `nil` is ECMAScript's `undefined`, or an absent
    /// attribute under semantics that compare absent attributes.
    func resolve(_ value: JSValue?, comparedIn slot: Int) {
        if value != nil { return resolve(memberAt: 0, in: 0, slot) }
        if program.semantics.comparesAbsentAsEmpty { return markAbsent(0, slot) }
        "undefined".withUTF8Bytes { add($0, to: 0, program.slotRows[slot].needs) }
        addNumbers(to: 0, slot)
        attributes[0].kind = .undefined
    }

    /// Marks the attribute in `place` as absent. Under semantics that compare absent attributes, it is an empty text.
    @inline(never)
    private func markAbsent(_ place: Int, _ slot: Int) {
        attributes[place].kind = .absent
        if program.semantics.comparesAbsentAsEmpty { addNumbers(to: place, slot) }
    }

    /// Stores the value of the member at `index` in `place`, in the forms that rules of `slot` need. `place` must be
    /// unresolved.
    private func resolve(memberAt index: Int, in place: Int, _ slot: Int) {
        attributes[place].member = Int32(truncatingIfNeeded: index)
        let needs = program.slotRows[slot].needs
        // A text that is only looked up is not copied if it can be looked up unchanged.
        if needs.isSubset(of: .numbers),
            let number = internedTexts.withObject({
                source.value.plainNumber(ofMemberAt: index, in: slot, among: $0)
            })
        {
            return attributes[place].setPlainText(number)
        }
        let value = source.value.object.members[index].value
        attributes[place].kind = AttributeKind(of: value)
        var number = value.numberValue
        switch value {
        case .string(let text):
            attributes[place].isEmptyText = text.isEmpty
            text.withUTF8Bytes { add($0, to: place, needs) }
            if needs.contains(.number) {
                number = NumericShape.numericValue(utf8: self.text(at: attributes[place].text))
            }
        case .illFormedString(let text):
            text.bytes.withElements { add($0, to: place, needs) }
        default:
            attributes[place].isTextless = !attributes[place].isScalar && ECMAScript.throwsInToString(value)
            if needs.readsText { ECMAScript.withText(of: value) { add($0, to: place, needs) } }
        }
        attributes[place].isNumber = number != nil
        attributes[place].number = number ?? (value.boolValue == true ? 1 : 0)
        addNumbers(to: place, slot)
    }

    /// Looks up the attribute's texts among the texts that rules of `slot` name.
    private func addNumbers(to place: Int, _ slot: Int) {
        let needs = program.slotRows[slot].needs
        let attribute = attributes[place]
        if needs.contains(.equalNumber) {
            attributes[place].equalNumber = number(of: text(at: attribute.lowercase), in: slot)
        }
        guard needs.contains(.listNumber) else { return }
        let text = text(at: attribute.text)
        attributes[place].hasBar = text.contains(UInt8(ascii: "|"))
        attributes[place].listNumber = number(of: text, in: slot)
    }

    /// The number of `text` among the texts that rules of `slot` name; 0 if no rule names it.
    @inline(__always)
    private func number(of text: ByteText, in slot: Int) -> UInt32 {
        internedTexts.withObject { $0.number(of: text, in: slot) }
    }

    /// Adds `text`, in which a lone surrogate takes three bytes, in the forms `needs`.
    private func add(_ text: ByteText, to place: Int, _ needs: AttributeForms) {
        let range = source.value.append(text)
        attributes[place].text = range
        attributes[place].lowercase = range
        if needs.isDisjoint(with: [.lowercase, .equalNumber]) || text.isLowercase { return }
        var lower: [UInt8] = []
        ECMAScript.appendLowerCase(utf8: text, to: &lower)
        attributes[place].lowercase = lower.withElements { source.value.append($0) }
    }
}

extension AttributeSource {
    /// The number of a member's value among `texts`, if it is a text that can be looked up unchanged, because it is
    /// lowercase, contains no `|` and is not empty; otherwise `nil`.
    @inline(never)
    fileprivate borrowing func plainNumber(
        ofMemberAt index: Int, in slot: Int, among texts: InternedTexts.Frozen
    ) -> UInt32? {
        guard case .string(let text) = object.members[index].value else { return nil }
        return text.withUTF8Bytes { $0.count > 0 && $0.isPlain ? texts.number(of: $0, in: slot) : nil }
    }
}

extension Attribute {
    fileprivate mutating func setPlainText(_ number: UInt32) {
        (equalNumber, listNumber, kind) = (number, number, .string)
    }
}
