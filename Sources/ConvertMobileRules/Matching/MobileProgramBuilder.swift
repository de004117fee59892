internal import ConvertECMAScript
internal import ConvertValues

/// What a comparison of mobile rules is.
struct MobileComparison {
    let matcher: MobileMatcher
    let slot: Int
    let operandCount: Int
}

/// Compiles comparisons of mobile rules into the rows of a ``MobileProgram``.
struct MobileProgramBuilder {
    private(set) var rows: [MobileRow] = []
    private(set) var operands: [MobileOperandRow] = []
    private(set) var texts = MobileTexts()
    /// Per slot.
    private(set) var needs: [MobileNeeds] = []
    private(set) var equalities = MobileEqualities()
    private var table = ProbeTable()

    /// No comparisons.
    init() {}

    /// How many comparisons there are.
    var count: Int { rows.count }

    /// What the comparisons are, by number.
    var shapes: [MobileComparison] {
        rows.map { MobileComparison(matcher: $0.matcher, slot: Int($0.slot), operandCount: $0.operands.count) }
    }

    /// Per slot, with how many different values equalities compare it.
    var variety: [Int] {
        equalities.variety + repeatElement(0, count: needs.count - equalities.variety.count)
    }

    /// Makes room for one more slot, which is numbered as they come.
    mutating func addSlot() { needs.append([]) }

    /// The number of a comparison of the value in `slot` with `values`, of which at least one is comparable. One that is
    /// not shared, because each time it is asked the value is another one, is found by no value.
    mutating func comparison(
        _ matcher: MobileMatcher, of slot: Int, with values: [JSValue], isShared: Bool
    ) -> Int {
        let start = operands.count
        if matcher != .exists, matcher != .notExists { appendOperands(values, of: slot, matcher) }
        let row = MobileRow(
            matcher: matcher, slot: Int32(truncatingIfNeeded: slot),
            operands: TableRange(start: start, count: operands.count - start),
            first: operands.count > start ? operands[start] : MobileOperandRow(false))
        let number = rows.count
        guard isShared else {
            rows.append(row)
            return number
        }
        let hash = hash(of: row)
        if let known = knownComparison(row, hash: hash) {
            operands.removeLast(operands.count - start)
            return known
        }
        table.insert(number, hash: hash)
        rows.append(row)
        if matcher == .equals {
            for place in row.operands.indices {
                needs[slot].insert(.equal(operands[place].kind))
                equalities.insert(number, in: slot, equalTo: operands[place])
            }
        }
        return number
    }

    private mutating func appendOperands(_ values: [JSValue], of slot: Int, _ matcher: MobileMatcher) {
        if values.isEmpty { append(text: "", of: slot, matcher) }
        for value in values {
            switch value {
            case .string(let text): append(text: text, of: slot, matcher)
            case .integer(let integer): append(MobileOperandRow(integer), .integer, of: slot)
            case .number(let number): append(MobileOperandRow(number), .double, of: slot)
            case .bool(let flag): append(MobileOperandRow(flag), .bool, of: slot)
            case .illFormedString, .null, .array, .object: break
            }
        }
    }

    private mutating func append(text: String, of slot: Int, _ matcher: MobileMatcher) {
        let number = texts.number(of: text)
        let isEquality = matcher == .equals || matcher == .notEquals
        append(MobileOperandRow(text: number), isEquality ? [.number] : [.text], of: slot)
        if !isEquality, !texts.isPlain(number) { needs[slot].insert(.string) }
    }

    private mutating func append(_ operand: MobileOperandRow, _ need: MobileNeeds, of slot: Int) {
        operands.append(operand)
        needs[slot].formUnion(need)
    }

    private func hash(of row: MobileRow) -> UInt32 {
        let bytes = operands.withUnsafeBytes { operands in
            let range = row.operands.indices
            let stride = MemoryLayout<MobileOperandRow>.stride
            return PropertyKey.hash(
                UnsafeRawBufferPointer(rebasing: operands[(range.lowerBound * stride)..<(range.upperBound * stride)])
                    .bindMemory(to: UInt8.self))
        }
        return bytes ^ (UInt32(bitPattern: row.slot) &* 16 &+ UInt32(row.matcher.rawValue)) &* 0x9E37_79B1
    }

    /// The comparison that asks the same as `row`.
    private func knownComparison(_ row: MobileRow, hash: UInt32) -> Int? {
        // The lists and not the builder, all of which would be counted.
        table.place(hash: hash) { [rows, operands] number in
            let known = rows[number]
            return known.slot == row.slot && known.matcher == row.matcher
                && operands[known.operands.indices] == operands[row.operands.indices]
        }
    }
}
