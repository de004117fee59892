internal import ConvertECMAScript
internal import ConvertValues

/// The properties of a comparison of mobile rules.
struct MobileComparison {
    let matcher: MobileMatcher
    let slot: Int
    let operandCount: Int
    /// The number of distinct values that equalities compare the slot with.
    let variety: Int
}

/// Compiles comparisons of mobile rules into a ``MobileProgram``.
struct MobileProgramBuilder: ~Copyable {
    private(set) var rows = Rows<MobileRow>()
    private(set) var operands = Rows<MobileOperandRow>()
    private(set) var texts = MobileTexts()
    /// The needed forms, per slot.
    private(set) var needs = Rows<MobileNeeds>()
    private(set) var equalities = MobileEqualities()
    /// Finds shared comparisons by their contents.
    private var known = HashIndex()
    /// Per slot, the number of distinct values that equalities compare it with.
    private var variety: [Int] = []

    /// The properties of the comparisons, by number.
    var shapes: [MobileComparison] {
        rows.indices.map { number in
            let row = rows[number]
            return MobileComparison(
                matcher: row.matcher, slot: Int(row.slot), operandCount: row.operands.count,
                variety: variety[Int(row.slot)])
        }
    }

    /// Adds one slot. Slots are numbered in order.
    mutating func addSlot() {
        needs.append([])
        variety.append(0)
    }

    /// Returns the number of a comparison of the value in `slot` with `values`, at least one of which must be
    /// comparable. Equal comparisons share one number.
    ///
    /// - Parameter isShared: `false` for a slot whose value changes at each reading. Its comparisons are not shared,
    ///   and look-ups do not find them.
    mutating func comparison(
        _ matcher: MobileMatcher, of slot: Int, with values: [JSValue], isShared: Bool
    ) -> Int {
        let start = operands.count
        if matcher != .exists, matcher != .notExists { appendOperands(values, of: slot, matcher) }
        let count = operands.count - start
        let row = MobileRow(
            matcher: matcher, slot: Int32(truncatingIfNeeded: slot), operands: TableRange(start: start, count: count),
            first: count > 0 ? operands[start] : MobileOperandRow(false))
        let number = rows.count
        guard isShared else {
            rows.append(row)
            return number
        }
        let hash = hash(of: row)
        if let known = knownComparison(row, hash: hash) {
            operands.removeLast(count)
            return known
        }
        known.insert(number, hash: hash)
        rows.append(row)
        if matcher == .equals {
            for place in row.operands.indices {
                let operand = operands[place]
                needs[slot].insert(.equal(operand.kind))
                if equalities.insert(number, in: slot, equalTo: operand) { variety[slot] += 1 }
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
        let number = texts.add(text)
        let isEquality = matcher == .equals || matcher == .notEquals
        append(MobileOperandRow(text: number), isEquality ? [.number] : [.text], of: slot)
        if !isEquality, texts.plain(Int(number)) == nil { needs[slot].insert(.string) }
    }

    private mutating func append(_ operand: MobileOperandRow, _ need: MobileNeeds, of slot: Int) {
        operands.append(operand)
        needs[slot].formUnion(need)
    }

    private func hash(of row: MobileRow) -> UInt32 {
        PropertyKey.hash(bytesOf: operands[row.operands])
            ^ (UInt32(bitPattern: row.slot) &* 16 &+ UInt32(row.matcher.rawValue)) &* 0x9E37_79B1
    }

    /// The number of the existing comparison that equals `row`, or `nil`.
    private func knownComparison(_ row: MobileRow, hash: UInt32) -> Int? {
        known.place(hash: hash) { number in
            let known = rows[number]
            return known.slot == row.slot && known.matcher == row.matcher
                && operands[known.operands].elementsEqual(operands[row.operands])
        }
    }
}
