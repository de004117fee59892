internal import ConvertECMAScript

extension AttributeStorage {
    /// Resolves every member of `object` by `names`, in which case does not count: names that differ in case only meet in
    /// one slot then.
    ///
    /// - Parameter start: index of the first member to resolve.
    /// - Returns: the index of the first member whose texts found no room, or the number of members.
    func resolveAll(_ object: JSObject.View, from start: Int, by tables: UnsafePointer<RuleTables>) -> Int {
        withContents { header, contents in
            if start == 0 { markAllAbsent(by: tables) }
            for (index, member) in object.members.enumerated().dropFirst(start) {
                guard let slot = tables.pointee.slots.slot(of: member.key) else { continue }
                precondition(slot < header.pointee.slotCount)
                let place = contents.slots + slot
                // An object that was decoded has no order to go by, so of names that meet the smallest counts.
                if place.pointee.kind != .absent {
                    let known = object.members[Int(place.pointee.member)].key.name
                    guard member.key.name.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
                }
                place.pointee = Attribute(kind: .absent)
                guard resolve(member.value, in: place, slot, tables) else { return index }
                place.pointee.member = Int32(truncatingIfNeeded: index)
            }
            return object.members.count
        }
    }

    /// Notes that there is no attribute at all.
    func markAllAbsent(by tables: UnsafePointer<RuleTables>) {
        withContents { header, contents in
            for slot in 0..<header.pointee.slotCount { markAbsent(slot, in: contents.slots + slot, tables) }
        }
    }

    /// Resolves the attribute in `slot`, one of the table's; says whether its texts found room.
    func resolve(_ slot: Int, by tables: UnsafePointer<RuleTables>) -> Bool {
        // Out of the header meanwhile, because what lies there cannot be read without counting references.
        let source = takeSource()
        let hasRoom = source.withView { resolve(slot, of: $0, by: tables) }
        keep(source)
        return hasRoom
    }

    @inline(__always)
    private func resolve(_ slot: Int, of object: JSObject.View, by tables: UnsafePointer<RuleTables>) -> Bool {
        withContents { header, contents in
            precondition(slot < header.pointee.slotCount)
            let place = contents.slots + slot
            guard slot != AttributeSlots.nameless,
                let index = object.index(ofKeyAt: tables.pointee.slots.key(at: slot)),
                let first = object.members.baseAddress
            else {
                markAbsent(slot, in: place, tables)
                return true
            }
            place.pointee.member = Int32(truncatingIfNeeded: index)
            // Of a text only the text is copied: most attributes are texts, and a copy of the value counts twice (W1).
            if case .string(let text) = (first + index).pointee.value {
                let needs = tables.pointee.slots.needs(of: slot)
                guard resolve(text, needs: needs, in: place) else { return false }
                addNumbers(to: place, slot, tables, needs)
                return true
            }
            return resolve((first + index).pointee.value, in: place, slot, tables)
        }
    }

    /// Resolves a single value in slot 0, as it is compared in `slot`; `nil` is ECMAScript's `undefined`. Says whether its
    /// texts found room.
    func resolve(_ value: JSValue?, comparedIn slot: Int, by tables: UnsafePointer<RuleTables>) -> Bool {
        withContents { _, contents in
            if let value { return resolve(value, in: contents.slots, slot, tables) }
            let needs = tables.pointee.slots.needs(of: slot)
            guard add("undefined", to: contents.slots, needs) else { return false }
            addNumbers(to: contents.slots, slot, tables, needs)
            contents.slots.pointee.kind = .undefined
            return true
        }
    }

    /// Notes that there is no attribute. Where absent ones are compared they are empty texts.
    private func markAbsent(_ slot: Int, in place: UnsafeMutablePointer<Attribute>, _ tables: UnsafePointer<RuleTables>)
    {
        place.pointee.kind = .absent
        if tables.pointee.semantics.comparesAbsentAsEmpty {
            addNumbers(to: place, slot, tables, tables.pointee.slots.needs(of: slot))
        }
    }

    /// Puts the forms of `value` that rules of `slot` need in `place`, where nothing was yet; says whether its texts found
    /// room. If not, there is still no kind.
    private func resolve(
        _ value: borrowing JSValue, in place: UnsafeMutablePointer<Attribute>, _ slot: Int,
        _ tables: UnsafePointer<RuleTables>
    ) -> Bool {
        let needs = tables.pointee.slots.needs(of: slot)
        guard resolve(value, needs: needs, in: place) else { return false }
        addNumbers(to: place, slot, tables, needs)
        return true
    }

    /// Looks the texts up among those that rules of `slot` name.
    @inline(__always)
    private func addNumbers(
        to place: UnsafeMutablePointer<Attribute>, _ slot: Int, _ tables: UnsafePointer<RuleTables>,
        _ needs: AttributeNeeds
    ) {
        if needs.contains(.equalNumber) {
            let text = ByteText(bytes(of: place.pointee.lowercase))
            place.pointee.equalNumber = tables.pointee.textNumbers.number(of: text, in: slot)
        }
        guard needs.contains(.listNumber) else { return }
        let text = ByteText(bytes(of: place.pointee.text))
        place.pointee.hasBar = text.bytes.contains(UInt8(ascii: "|"))
        if needs.contains(.equalNumber), place.pointee.text.start == place.pointee.lowercase.start {
            place.pointee.listNumber = place.pointee.equalNumber
        } else {
            place.pointee.listNumber = tables.pointee.textNumbers.number(of: text, in: slot)
        }
    }

    private func resolve(
        _ value: borrowing JSValue, needs: AttributeNeeds, in place: UnsafeMutablePointer<Attribute>
    ) -> Bool {
        switch value {
        case .null:
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.kind = .null
        case .bool(let flag):
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.kind = .boolean
            place.pointee.number = flag ? 1 : 0
        case .integer(let integer):
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.kind = .number
            place.pointee.isNumber = true
            place.pointee.number = Double(integer)
        case .number(let number):
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.kind = .number
            place.pointee.isNumber = true
            place.pointee.number = number
        case .string(let text):
            return resolve(text, needs: needs, in: place)
        case .array:
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.isTextless = ECMAScript.throwsInToString(copy value)
            place.pointee.kind = .array
        case .object:
            guard addText(of: value, to: place, needs) else { return false }
            place.pointee.isTextless = ECMAScript.throwsInToString(copy value)
            place.pointee.kind = .object
        }
        return true
    }

    @inline(__always)
    private func resolve(
        _ text: String, needs: AttributeNeeds, in place: UnsafeMutablePointer<Attribute>
    ) -> Bool {
        guard add(text, to: place, needs) else { return false }
        place.pointee.kind = .string
        if needs.contains(.number) {
            let number = NumericShape.numericValue(utf8: bytes(of: place.pointee.text))
            place.pointee.isNumber = number != nil
            place.pointee.number = number ?? 0
        }
        return true
    }

    /// Adds the text of a value that is none, if it is needed; says whether there was room.
    private func addText(
        of value: borrowing JSValue, to place: UnsafeMutablePointer<Attribute>, _ needs: AttributeNeeds
    ) -> Bool {
        needs.isDisjoint(with: [.text, .lowercase]) || add(ECMAScript.toString(copy value), to: place, needs)
    }

    /// Adds `text` and what is needed of its forms; says whether there was room.
    @inline(__always)
    private func add(
        _ text: String, to place: UnsafeMutablePointer<Attribute>, _ needs: AttributeNeeds
    ) -> Bool {
        guard let (range, isLowercase) = append(text) else { return false }
        place.pointee.text = range
        place.pointee.lowercase = range
        if isLowercase || !needs.contains(.lowercase) || addLowercase(to: place) { return true }
        // The text is added again with more room.
        dropTexts(from: range.start)
        return false
    }

    private func addLowercase(to place: UnsafeMutablePointer<Attribute>) -> Bool {
        var lower: [UInt8] = []
        ECMAScript.appendLowerCase(utf8: bytes(of: place.pointee.text), to: &lower)
        guard let range = lower.withUnsafeBufferPointer({ append($0)?.range }) else { return false }
        place.pointee.lowercase = range
        return true
    }

    private func bytes(of range: TableRange) -> UnsafeBufferPointer<UInt8> {
        withContents { header, contents in
            ByteText(UnsafeBufferPointer(start: contents.pool, count: header.pointee.poolCount), range).bytes
        }
    }

    /// Appends `text`, as ``append(_:)-(UnsafeBufferPointer<UInt8>)`` does.
    @inline(__always)
    func append(_ text: String) -> (range: TableRange, isLowercase: Bool)? {
        if let appended = text.utf8.withContiguousStorageIfAvailable({ append($0) }) { return appended }
        var text = text
        return text.withUTF8 { append($0) }
    }
}
