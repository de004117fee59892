internal import ConvertECMAScript

extension AttributeTable {
    /// Resolves every member under names in which case does not count: names that differ in case only meet in one slot
    /// then.
    mutating func resolveAll(by program: RuleProgram) {
        markAllAbsent(by: program)
        for (index, member) in source.members.enumerated() {
            guard let slot = program.slots.slot(ofAnyCase: member.key) else { continue }
            precondition(slots.indices.contains(slot))
            // An object that was decoded has no order to go by, so of names that meet the smallest counts.
            if slots[slot].kind != .absent {
                let known = source.members[Int(slots[slot].member)].key.text
                guard member.key.text.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
            }
            slots[slot] = Attribute(member: Int32(truncatingIfNeeded: index))
            resolve(member.value, in: slot, program, slot)
        }
    }

    /// Notes that there is no attribute at all.
    mutating func markAllAbsent(by program: RuleProgram) {
        for slot in slots.indices { markAbsent(slot, program, slot) }
    }

    /// Resolves the attribute in `slot`, one of the table's.
    @inline(never)
    mutating func resolve(_ slot: Int, by program: RuleProgram) {
        precondition(UInt(bitPattern: slot) < UInt(bitPattern: layout.slotCount))
        // Most names and most texts are found by their bits, without a call, and texts that are only compared are not copied
        // (W1).
        let row = program.slotRows[slot]
        let index: Int
        switch source.place(ofNameIn: row.name, hash: row.hash) {
        case .member(let place): index = place
        case .none: return markAbsent(slot, program, slot)
        case .unsure: return resolveByName(slot, program)
        }
        // A text that is named is its own lowercase, as all that are named are.
        if row.isOnlyCompared, let members = source.members.baseAddress,
            let text = ShortText(valueAt: members + index)
        {
            let number = program.internedTexts.number(of: text, among: row.texts)
            if number != 0 || text.isPlain {
                let attribute = slotStart + slot
                attribute.pointee.member = Int32(truncatingIfNeeded: index)
                attribute.pointee.equalNumber = number
                attribute.pointee.listNumber = number
                if text.count == 0 { attribute.pointee.isEmptyText = true }
                attribute.pointee.kind = .string
                return
            }
        }
        resolve(memberAt: index, in: slot, program)
    }

    @inline(never)
    private mutating func resolveByName(_ slot: Int, _ program: RuleProgram) {
        guard slot != AttributeSlots.nameless,
            let index = withUnsafePointer(to: program.slots.key(at: slot), { source.index(ofKeyAt: $0) })
        else { return markAbsent(slot, program, slot) }
        resolve(memberAt: index, in: slot, program)
    }

    @inline(never)
    private mutating func resolve(memberAt index: Int, in slot: Int, _ program: RuleProgram) {
        slots[slot].member = Int32(truncatingIfNeeded: index)
        resolve(source.members[index].value, in: slot, program, slot)
    }

    /// Resolves a single value in slot 0, as it is compared in `slot`; `nil` is ECMAScript's `undefined`, or an absent
    /// attribute where absent ones are compared.
    mutating func resolve(_ value: JSValue?, comparedIn slot: Int, by program: RuleProgram) {
        if let value { return resolve(value, in: 0, program, slot) }
        if program.semantics.comparesAbsentAsEmpty { return markAbsent(0, program, slot) }
        add("undefined", to: 0, program.slotRows[slot].needs)
        addNumbers(to: 0, program, slot)
        slots[0].kind = .undefined
    }

    /// Notes that there is no attribute in `place`. Where absent ones are compared they are empty texts.
    @inline(never)
    private mutating func markAbsent(_ place: Int, _ program: RuleProgram, _ slot: Int) {
        slots[place].kind = .absent
        if program.semantics.comparesAbsentAsEmpty { addNumbers(to: place, program, slot) }
    }

    /// Puts the forms of `value` that rules of `slot` need in `place`, where nothing was yet.
    private mutating func resolve(
        _ value: borrowing JSValue, in place: Int, _ program: RuleProgram, _ slot: Int
    ) {
        let needs = program.slotRows[slot].needs
        switch value {
        case .null:
            addText(of: value, to: place, needs)
            slots[place].kind = .null
        case .bool(let flag):
            addText(of: value, to: place, needs)
            slots[place].kind = .boolean
            slots[place].number = flag ? 1 : 0
        case .integer(let integer):
            addText(of: value, to: place, needs)
            slots[place].kind = .number
            slots[place].isNumber = true
            slots[place].number = Double(integer)
        case .number(let number):
            addText(of: value, to: place, needs)
            slots[place].kind = .number
            slots[place].isNumber = true
            slots[place].number = number
        case .string(let text):
            slots[place].isEmptyText = text.isEmpty
            slots[place].kind = .string
            if needs.isSubset(of: .numbers),
                text.withUTF8Bytes({ numberIfPlain(ByteText($0), in: place, program, slot) })
            {
                return
            }
            add(copy text, to: place, needs)
            if needs.contains(.number) {
                let number = NumericShape.numericValue(utf8: texts[slots[place].text].bytes)
                slots[place].isNumber = number != nil
                slots[place].number = number ?? 0
            }
        case .illFormedString(let text):
            slots[place].kind = .string
            text.bytes.withUnsafeBufferPointer { add($0, to: place, needs) }
        case .array:
            addText(of: value, to: place, needs)
            slots[place].isTextless = ECMAScript.throwsInToString(copy value)
            slots[place].kind = .array
        case .object:
            addText(of: value, to: place, needs)
            slots[place].isTextless = ECMAScript.throwsInToString(copy value)
            slots[place].kind = .object
        }
        addNumbers(to: place, program, slot)
    }

    /// Looks `text` up as it is if it needs no change for that; says whether that was so.
    private func numberIfPlain(
        _ text: ByteText, in place: Int, _ program: RuleProgram, _ slot: Int
    ) -> Bool {
        guard text.isPlain else { return false }
        let number = program.internedTexts.number(of: text, in: slot)
        slots[place].equalNumber = number
        slots[place].listNumber = number
        return true
    }

    /// Looks the texts up among those that rules of `slot` name.
    private mutating func addNumbers(to place: Int, _ program: RuleProgram, _ slot: Int) {
        let needs = program.slotRows[slot].needs
        let attribute = slots[place]
        if needs.contains(.equalNumber) {
            slots[place].equalNumber = program.internedTexts.number(of: texts[attribute.lowercase], in: slot)
        }
        guard needs.contains(.listNumber) else { return }
        let text = texts[attribute.text]
        slots[place].hasBar = text.bytes.contains(UInt8(ascii: "|"))
        slots[place].listNumber = program.internedTexts.number(of: text, in: slot)
    }

    /// Adds the text of a value that is none, if it is needed.
    private mutating func addText(of value: borrowing JSValue, to place: Int, _ needs: AttributeForms) {
        if needs.readsText { ECMAScript.withText(of: copy value) { add($0, to: place, needs) } }
    }

    /// Adds `text` and what is needed of its forms.
    private mutating func add(_ text: String, to place: Int, _ needs: AttributeForms) {
        text.withUTF8Bytes { add($0, to: place, needs) }
    }

    /// As ``add(_:to:_:)-(String,_,_)``; a lone surrogate takes three bytes.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>, to place: Int, _ needs: AttributeForms) {
        let (range, isLowercase) = texts.append(text)
        slots[place].text = range
        slots[place].lowercase = range
        if isLowercase || needs.isDisjoint(with: [.lowercase, .equalNumber]) { return }
        var lower: [UInt8] = []
        ECMAScript.appendLowerCase(utf8: texts[range].bytes, to: &lower)
        slots[place].lowercase = lower.withUnsafeBufferPointer { texts.append($0).range }
    }
}

extension ByteText {
    /// Whether the text is its own lowercase, because it is ASCII without capitals, and has no `|`.
    fileprivate var isPlain: Bool {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var index = 0
        while index &+ 8 <= count {
            if !TextWord.isPlain(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
            index &+= 8
        }
        return TextWord.isPlain((start + index).loadWord(count: count &- index))
    }
}

extension ShortText {
    /// Whether the text is its own lowercase, because it is ASCII without capitals, and has no `|`.
    @inline(__always)
    fileprivate var isPlain: Bool { TextWord.isPlain(prefix) && (rest == 0 || TextWord.isPlain(rest)) }

    /// The text of the value of the member at `member`, if that is a short one.
    @inline(__always)
    fileprivate init?(valueAt member: UnsafePointer<JSObject.Member>) {
        // Nothing is written between reading the text and its words, or the text would be counted.
        guard case .string(let text) = member.pointee.value else { return nil }
        self.init(text)
    }
}
