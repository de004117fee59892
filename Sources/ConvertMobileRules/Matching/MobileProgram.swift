internal import ConvertECMAScript
internal import ConvertValues

/// The comparisons of mobile rules, compiled: flat tables that evaluation reads without touching JSON, text or reference
/// counts. Immutable.
///
/// The tables are bare memory, which nobody writes and which is to be used only while the program lives. Workloads W8 and
/// G8 pay for it.
final class MobileProgram: Sendable {
    private nonisolated(unsafe) let tables: UnsafePointer<MobileTables>

    init(_ builder: MobileProgramBuilder) {
        let tables = UnsafeMutablePointer<MobileTables>.allocate(capacity: 1)
        tables.initialize(to: MobileTables(builder))
        self.tables = UnsafePointer(tables)
    }

    deinit {
        tables.pointee.deallocate()
        let tables = UnsafeMutablePointer(mutating: tables)
        tables.deinitialize(count: 1)
        tables.deallocate()
    }

    /// How many comparisons there are.
    var count: Int { tables.pointee.rows.count }

    /// The comparisons as bare memory, which counts no references when it is handed over; to be used only while the program
    /// lives.
    var reader: Reader { Reader(tables) }

    /// Answers comparisons.
    struct Reader {
        private let tables: UnsafePointer<MobileTables>

        fileprivate init(_ tables: UnsafePointer<MobileTables>) { self.tables = tables }

        /// Appends the value of `slot` to `values`. An array or object is no leaf of an event: append nothing.
        func append(_ value: JSValue, in slot: Int, to values: inout MobileValues) {
            values.append(value, tables.pointee.needs[slot], tables.pointee.texts)
        }

        /// Appends a value that several slots share.
        func appendShared(_ value: JSValue, to values: inout MobileValues) {
            values.append(value, .all, tables.pointee.texts)
        }

        /// The answer of comparison `number` to a value that is missing.
        func holdsWhenMissing(_ number: Int) -> Bool {
            holds(number, on: 0, of: tables.pointee.missing)
        }

        func row(_ number: Int) -> MobileRow { tables.pointee.rows[number] }

        /// Whether the operand at `index` is no text, or one that is compared by its bytes.
        func hasPlainOperand(at index: Int) -> Bool {
            let operand = tables.pointee.operands[index]
            return operand.kind != .text || tables.pointee.texts.plain(operand.text) != nil
        }

        /// Whether the value at `place` meets comparison `number`.
        func holds(_ number: Int, on place: Int, of values: borrowing MobileValues) -> Bool {
            let row = tables.pointee.rows[number]
            if row.operands.count == 1 { return meets(row.matcher, values, place, row.first) }
            let operands = row.operands.indices
            if operands.isEmpty {
                switch row.matcher {
                case .exists: return values.rows[place].isPresent
                default: return !values.rows[place].isPresent
                }
            }
            let needsAll = row.matcher.needsAllOperands
            for operand in operands
            where meets(row.matcher, values, place, tables.pointee.operands[operand]) != needsAll {
                return !needsAll
            }
            return needsAll
        }

        /// Appends to `found` the equalities in `slot`, unless they are not shared, that hold for the value at `place`.
        func findEqualities(
            of slot: Int, on place: Int, of values: borrowing MobileValues, into found: inout [Int32]
        ) {
            let needs = tables.pointee.needs[slot]
            if needs.isDisjoint(with: .equalAny) { return }
            let row = values.rows[place]
            if row.number != 0, needs.contains(.equal(.text)) {
                tables.pointee.equalities.find(MobileOperandRow(text: row.number &- 1), in: slot, into: &found)
            }
            if row.hasInteger, needs.contains(.equal(.integer)) {
                tables.pointee.equalities.find(MobileOperandRow(row.integer), in: slot, into: &found)
            }
            if row.hasDouble, needs.contains(.equal(.double)) {
                tables.pointee.equalities.find(MobileOperandRow(row.double), in: slot, into: &found)
            }
            if row.hasBool, needs.contains(.equal(.bool)) {
                tables.pointee.equalities.find(MobileOperandRow(row.flag), in: slot, into: &found)
            }
        }

        @inline(__always)
        private func meets(
            _ matcher: MobileMatcher, _ values: borrowing MobileValues, _ place: Int, _ operand: MobileOperandRow
        ) -> Bool {
            switch operand.kind {
            case .integer:
                values.rows[place].hasInteger && matcher.meets(values.rows[place].integer, operand.integer)
            case .double: values.rows[place].hasDouble && matcher.meets(values.rows[place].double, operand.double)
            case .text: values.rows[place].hasText && meets(matcher, values, values.rows[place], text: operand.text)
            case .bool: values.rows[place].hasBool && matcher.meets(values.rows[place].flag, operand.flag)
            }
        }

        // Apart, as it would slow the comparisons of numbers down.
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
            guard row.isPlain, let part = tables.pointee.texts.plain(text) else {
                return matcher.meets(text: values.string(of: row), tables.pointee.texts.string(text))
            }
            return values.bytes.withUnsafeBufferPointer { matcher.meets(text: ByteText($0, row.text), part) }
        }
    }
}

/// What a ``MobileProgram`` makes and frees.
struct MobileTables: ~Copyable {
    let rows: FrozenTable<MobileRow>
    let operands: FrozenTable<MobileOperandRow>
    let texts: MobileTexts.Frozen
    /// Per slot.
    let needs: FrozenTable<MobileNeeds>
    let equalities: MobileEqualities.Frozen
    /// The value that is not there, in all its forms.
    let missing: MobileValues

    init(_ builder: MobileProgramBuilder) {
        rows = FrozenTable(builder.rows)
        operands = FrozenTable(builder.operands)
        let texts = MobileTexts.Frozen(builder.texts)
        self.texts = texts
        needs = FrozenTable(builder.needs)
        equalities = builder.equalities.frozen()
        var missing = MobileValues()
        missing.append(nil, .all, texts)
        self.missing = missing
    }

    /// Frees the tables.
    func deallocate() {
        rows.deallocate()
        operands.deallocate()
        texts.deallocate()
        needs.deallocate()
        equalities.deallocate()
    }
}
