internal import ConvertECMAScript

extension Comparisons {
    /// `equals` of an array: one of its elements is the operand by `===`, case kept. Of an object with members: one of
    /// its keys is the operand's text. Of an empty object: its text is, without regard to case.
    @inline(never)
    static func hasMember(_ value: JSValue?, _ index: Int, _ input: AttributeReader) -> Bool {
        switch value {
        case .array(let elements):
            guard let operand = input.rules.operand(ofConditionAt: index) else { return false }
            return elements.contains { $0.isStrictlyEqual(to: operand) }
        case .object(let object) where !object.isEmpty:
            return object[ECMAScript.toString(input.rules.operand(ofConditionAt: index))] != nil
        case .object:
            var text = "[object object]"
            return text.withUTF8 { ByteText($0) == input.text(input.rules.conditions[index].operand) }
        default:
            return false
        }
    }

    /// `regexMatches`: the operand's pattern matches the lowercase of the value; `nil` if that takes too long to find out.
    @inline(never)
    static func matches(_ value: ByteText, _ operand: PreparedOperand, _ input: AttributeReader) -> Bool? {
        do throws(RegExpBudgetExceeded) {
            return try input.rules.program.patterns[Int(operand.pattern)].test(utf8: value.bytes)
        } catch {
            return nil
        }
    }

    /// `isIn`: some part of the value, split at `|`, is in the list. Only the list was lowercased.
    static func isIn(_ value: ByteText, _ list: PoolRange, _ input: AttributeReader) -> Bool {
        guard list.count > 0 else { return false }
        var start = 0
        while true {
            var end = start
            while end < value.count && value.bytes[end] != UInt8(ascii: "|") { end &+= 1 }
            let part = ByteText(value.bytes, PoolRange(start: start, count: end &- start))
            if input.rules.list(list, contains: part) { return true }
            if end >= value.count { return false }
            start = end &+ 1
        }
    }
}

extension RuleTables {
    /// The operand as the config has it, for the rare shapes that no prepared form serves.
    func operand(ofConditionAt index: Int) -> JSValue? {
        program.sources[index].value
    }

    /// Whether `item` is in the sorted `list`.
    func list(_ list: PoolRange, contains item: ByteText) -> Bool {
        var low = list.start
        var high = list.start + list.count
        // Most lists are short, and then telling by length and bytes beats ordering.
        if list.count <= 8 {
            while low < high {
                if ByteText(pool, lists[low]) == item { return true }
                low &+= 1
            }
            return false
        }
        while low < high {
            let middle = low + (high - low) / 2
            let order = ByteText(pool, lists[middle]).compare(item)
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
