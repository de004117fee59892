internal import ConvertECMAScript

extension AttributeStorage {
    /// Resolves `members`, which are those of ``source``, from `start` on by `names`.
    ///
    /// - Returns: the index of the first member whose texts found no room, or the number of members.
    func resolve(
        _ members: UnsafeBufferPointer<JSObject.Member>, from start: Int, by names: FrozenAttributeTable.View
    ) -> Int {
        withContents { header, contents in
            guard let first = members.baseAddress else { return 0 }
            for index in start..<members.count {
                guard let key = (first + index).pointer(to: \.key), let slot = names.slot(ofKeyAt: key) else {
                    continue
                }
                precondition(slot < header.pointee.slotCount)
                let place = contents.slots + slot
                // Names that differ in case only meet in one slot if case does not count. An object that was decoded
                // has no order to go by, so of those the smallest counts.
                if place.pointee.kind != .absent {
                    let known = members[Int(place.pointee.member)].key.name
                    guard members[index].key.name.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
                }
                guard var attribute = resolve((first + index).pointee.value, needs: names.needs(of: slot)) else {
                    return index
                }
                attribute.member = Int32(truncatingIfNeeded: index)
                place.pointee = attribute
            }
            return members.count
        }
    }

    /// The forms of `value` that are needed; `nil` if its texts find no room.
    func resolve(_ value: JSValue, needs: AttributeNeeds) -> ResolvedAttribute? {
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
            guard addText(text, to: &attribute, needs) else { return nil }
            if needs.contains(.number) {
                let number = NumericShape.numericValue(utf8: bytes(of: attribute.text))
                attribute.isNumeric = number != nil
                attribute.number = number ?? 0
            }
            return attribute
        case .array:
            attribute.kind = .array
        case .object:
            attribute.kind = .object
        }
        if needs.isDisjoint(with: [.text, .lowercase]) { return attribute }
        return addText(ECMAScript.toString(value), to: &attribute, needs) ? attribute : nil
    }

    /// Adds `text` and what is needed of its forms; says whether there was room.
    @inline(__always)
    private func addText(_ text: String, to attribute: inout ResolvedAttribute, _ needs: AttributeNeeds) -> Bool {
        guard let (range, isLowercase) = append(text) else { return false }
        attribute.text = range
        attribute.lowercase = range
        return isLowercase || !needs.contains(.lowercase) || addLowercase(to: &attribute)
    }

    private func addLowercase(to attribute: inout ResolvedAttribute) -> Bool {
        var lower: [UInt8] = []
        ECMAScript.appendLowerCase(utf8: bytes(of: attribute.text), to: &lower)
        guard let range = lower.withUnsafeBufferPointer({ append($0)?.range }) else { return false }
        attribute.lowercase = range
        return true
    }

    private func bytes(of range: PoolRange) -> UnsafeBufferPointer<UInt8> {
        withContents { header, contents in
            ByteText(UnsafeBufferPointer(start: contents.pool, count: header.pointee.poolCount), range).bytes
        }
    }

    /// Appends `text`, as ``append(_:)-(UnsafeBufferPointer<UInt8>)`` does.
    @inline(__always)
    func append(_ text: String) -> (range: PoolRange, isLowercase: Bool)? {
        if let appended = text.utf8.withContiguousStorageIfAvailable({ append($0) }) { return appended }
        var text = text
        return text.withUTF8 { append($0) }
    }
}
