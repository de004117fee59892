internal import ConvertECMAScript

/// `isIn`: the rule's list contains some part of the value's text.
///
/// Both texts are split at each `|`, and empty parts count. Only the list is lowercased, so no list contains a value
/// with a capital letter. The elements of an array are not split. A list that is neither a text nor an array is empty.
/// No list contains an absent attribute.
enum Membership {
    static let names: [(name: String, operation: Operation)] = [("isIn", .isIn)]

    /// A list is a bit set if all its texts have lower numbers in the slot, as in nearly every list. A look-up then
    /// takes one comparison.
    private static let bitCount = UInt32(UInt64.bitWidth)

    static func row(_ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        // A list that is an object is empty, and never converted to text.
        if rule.value?.objectValue == nil && !rule.hasText { return .defect(.never) }
        var numbers = tables.texts.numbers(ofListed: rule.value, in: rule.slot)
        if numbers.allSatisfy({ $0 < bitCount }) {
            var row = ComparisonRow(.isIn, .fewTexts, reading: .listNumber)
            row.bits = numbers.reduce(0) { $0 | 1 << UInt64($1) }
            return row
        }
        // Each part of the text is looked up.
        var row = ComparisonRow(.isIn, .manyTexts, reading: [.listNumber, .text])
        numbers.sortAndMakeUnique()
        row.range = TableRange(start: tables.listNumbers.count, count: numbers.count)
        tables.listNumbers += numbers
        return row
    }

    /// Compares a text without `|` with a short list.
    @inline(__always)
    static func holds(_ comparison: Comparison) -> Bool { lists(comparison.attribute.listNumber, comparison.row) }

    @inline(__always)
    private static func lists(_ number: UInt32, _ row: ComparisonRow) -> Bool {
        number < bitCount && row.bits &>> UInt64(number) & 1 != 0
    }

    @inline(never)
    static func truth(_ comparison: Comparison) -> Truth {
        let (row, attribute) = (comparison.row, comparison.attribute)
        if attribute.kind == .absent { return Truth(false) }
        if row.operand == .fewTexts, !attribute.hasBar { return Truth(holds(comparison)) }
        return comparison.pay(.lookUp) ?? Truth(isAnyPartListed(comparison))
    }

    private static func isAnyPartListed(_ comparison: Comparison) -> Bool {
        var rest = comparison.text[...]
        while let bar = rest.firstIndex(of: UInt8(ascii: "|")) {
            if isListed(rest[..<bar], comparison) { return true }
            rest = rest[(bar + 1)...]
        }
        return isListed(rest, comparison)
    }

    private static func isListed(_ part: Slice<ByteText>, _ comparison: Comparison) -> Bool {
        let row = comparison.row
        let part = part.base.slice(part.startIndex..<part.endIndex)
        let number = comparison.program.internedTexts.number(of: part, in: Int(row.slot))
        if number == 0 || row.operand == .fewTexts { return number != 0 && lists(number, row) }
        let numbers = comparison.program.listNumbers[row.range]
        let place = numbers.indices.partitioningIndex { numbers[$0] >= number }
        return place < numbers.endIndex && numbers[place] == number
    }
}
