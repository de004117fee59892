internal import ConvertECMAScript
internal import ConvertValues

/// The compiled comparisons of mobile rules, in flat tables.
final class MobileProgram: Sendable {
    // Keep it a class: as a noncopyable struct, each call of a method copies all members.

    let rows: Rows<MobileRow>
    let operands: Rows<MobileOperandRow>
    let texts: MobileTexts
    /// The needed forms, per slot.
    private let needs: Rows<MobileNeeds>
    private let equalities: MobileEqualities

    /// Creates a program from the comparisons in `builder`.
    init(_ builder: consuming MobileProgramBuilder) {
        rows = builder.rows
        operands = builder.operands
        texts = builder.texts
        needs = builder.needs
        equalities = builder.equalities
    }

    /// The number of comparisons.
    var count: Int { rows.count }

    /// Appends the value of `slot` to `values`. The value must be a leaf, not an array or an object.
    func append(_ value: JSValue, in slot: Int, to values: inout MobileValues) {
        values.append(value, needs[slot], texts)
    }

    /// Appends a value that several slots share, in all forms. `nil` is the missing value.
    func appendShared(_ value: JSValue?, to values: inout MobileValues) { values.append(value, .all, texts) }

    /// Whether the value at `place` meets comparison `number`.
    func holds(_ number: Int, on place: Int, of values: borrowing MobileValues) -> Bool {
        let row = rows[number]
        if row.operands.count == 1 { return meets(row.matcher, values, place, row.first) }
        let operands = row.operands.indices
        if operands.isEmpty {
            switch row.matcher {
            case .exists: return values.rows[place].isPresent
            default: return !values.rows[place].isPresent
            }
        }
        let needsAll = row.matcher.needsAllOperands
        for operand in operands where meets(row.matcher, values, place, self.operands[operand]) != needsAll {
            return !needsAll
        }
        return needsAll
    }

    /// Appends the shared equalities of `slot` that hold for the value at `place` to `found`.
    func findEqualities(of slot: Int, on place: Int, of values: borrowing MobileValues, into found: inout [Int32]) {
        let needs = needs[slot]
        if needs.isDisjoint(with: .equalAny) { return }
        let row = values.rows[place]
        if row.number != 0, needs.contains(.equal(.text)) {
            equalities.find(MobileOperandRow(text: row.number &- 1), in: slot, into: &found)
        }
        if row.hasInteger, needs.contains(.equal(.integer)) {
            equalities.find(MobileOperandRow(row.integer), in: slot, into: &found)
        }
        if row.hasDouble, needs.contains(.equal(.double)) {
            equalities.find(MobileOperandRow(row.double), in: slot, into: &found)
        }
        if row.hasBool, needs.contains(.equal(.bool)) {
            equalities.find(MobileOperandRow(row.flag), in: slot, into: &found)
        }
    }

    @inline(__always)
    private func meets(
        _ matcher: MobileMatcher, _ values: borrowing MobileValues, _ place: Int, _ operand: MobileOperandRow
    ) -> Bool {
        switch operand.kind {
        case .integer: values.rows[place].hasInteger && matcher.meets(values.rows[place].integer, operand.integer)
        case .double: values.rows[place].hasDouble && matcher.meets(values.rows[place].double, operand.double)
        case .text: values.rows[place].hasText && meets(matcher, values, values.rows[place], text: operand.text)
        case .bool: values.rows[place].hasBool && matcher.meets(values.rows[place].flag, operand.flag)
        }
    }

    // Keep it out of line: inlined, it slows down comparisons of numbers.
    @inline(never)
    private func meets(
        _ matcher: MobileMatcher, _ values: borrowing MobileValues, _ row: MobileValues.Row, text: Int
    ) -> Bool {
        switch matcher {
        case .equals: return Int(row.number) == text &+ 1
        case .notEquals: return Int(row.number) != text &+ 1
        case .startsWith, .endsWith, .contains, .notContains: break
        default: return false
        }
        guard row.isPlain, let part = texts.plain(text) else {
            return matcher.meets(text: values.string(of: row), texts.string(text))
        }
        return matcher.meets(text: values.bytes.text(at: row.text), part)
    }
}
