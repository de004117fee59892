internal import ConvertECMAScript

extension Comparisons {
    /// `equals` of an array: one of its elements is the rule's value by `===`, case kept. Of an object with members: one of
    /// its keys is the value's text. Of an empty object: its text is, without regard to case.
    @inline(never)
    static func hasMember(_ index: Int, _ place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        let value = input.rules.value(ofConditionAt: row.condition)
        switch input.attributes.value(in: place) {
        case .array(let elements):
            guard let value else { return Truth(false) }
            return Truth(elements.contains { $0.isStrictlyEqual(to: value) })
        case .object(let object) where !object.isEmpty: return Truth(object[ECMAScript.toPropertyKey(value)] != nil)
        default: return Truth(input.attributes.slots[place].equalNumber == row.operand)
        }
    }

    /// `contains`, `startsWith` and `endsWith` of a text with a lone surrogate, which is also half of every pair that it is
    /// the half of.
    @inline(never)
    static func matchesUnits(_ row: ComparisonRow, _ attribute: Attribute, _ input: AttributeReader) -> Truth {
        let text = ECMAScript.separatingSurrogates(input.lowercase(attribute).bytes)
        let part = input.text(row)
        return text.withUnsafeBufferPointer { bytes in
            let text = ByteText(bytes)
            return switch row.kind {
            case .containsUnits: Truth(text.contains(part))
            case .startsWithUnits: Truth(text.hasPrefix(part))
            default: Truth(text.hasSuffix(part))
            }
        }
    }

    /// `regexMatches`: the rule's pattern matches the lowercase of the value.
    @inline(never)
    static func matches(_ index: Int, _ place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        let text = input.lowercase(input.attributes.slots[place])
        return input.budget.pointee.truth(
            of: input.rules.program.patterns[Int(row.operand)], on: text, at: Int(row.condition))
    }

    /// `isIn` in the long way: some part of the value, split at `|`, is in the list. Only the list was lowercased.
    @inline(never)
    static func isAnyPartIn(_ index: Int, _ place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        let value = input.text(of: input.attributes.slots[place])
        var start = 0
        while true {
            var end = start
            while end < value.count && value.bytes[end] != UInt8(ascii: "|") { end &+= 1 }
            let part = ByteText(value.bytes, TableRange(start: start, count: end &- start))
            let number = input.rules.textNumbers.number(of: part, in: Int(row.slot))
            if input.rules.isText(number, listedIn: row) { return Truth(true) }
            if end >= value.count { return Truth(false) }
            start = end &+ 1
        }
    }
}

extension RuleTables {
    /// Whether a list has the text with this number.
    fileprivate func isText(_ number: UInt32, listedIn row: ComparisonRow) -> Bool {
        if number == 0 { return false }
        if row.kind == .textIn { return row.listsText(number) }
        let places = row.range.indices
        let place = places.partitioningIndex { listNumbers[$0] >= number }
        return place < places.upperBound && listNumbers[place] == number
    }
}
