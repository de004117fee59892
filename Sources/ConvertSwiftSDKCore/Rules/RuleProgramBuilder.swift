internal import ConvertECMAScript
internal import ConvertValues

/// Builds a ``RuleProgram``: interns attribute names, prepares every operand, and keeps each comparison once.
struct RuleProgramBuilder {
    let semantics: RuleSemantics
    private(set) var slots: AttributeSlots
    private(set) var conditions: [ConditionRow] = []
    private(set) var comparisons: [ComparisonRow] = []
    private(set) var clauseEnds: [Int32] = []
    private(set) var groupEnds: [Int32] = []
    private(set) var texts = OperandTexts()
    private(set) var listNumbers: [UInt32] = []
    private(set) var mobileOperands: [MobileOperand] = []
    private(set) var patterns: PatternTable
    private(set) var sources = RuleSources()
    /// Comparisons by identity.
    private var known: [ComparisonRow.Identity: Int] = [:]
    /// The conditions of leaves, which ``sources`` holds, so that none of them is another one later.
    private var leafRows: [ObjectIdentifier: ConditionRow] = [:]
    /// What is wrong with the patterns of the rule set that is compiled.
    private var patternErrors: [(place: Place, error: PatternTable.Failure)] = []
    private var firstGroup = 0
    private var firstCondition = 0
    /// Whether the rule set that is compiled has a clause without conditions.
    private var hasEmptyClause = false
    /// Where the next condition stands in its rule set.
    private var place = Place()

    /// A place in a rule set.
    private struct Place {
        var group = 0
        var clause = 0
        var condition = 0
    }

    init(
        semantics: RuleSemantics, keysAreCaseSensitive: Bool = true, patternMemory: Int = ConfigLimits.patternMemory
    ) {
        self.semantics = semantics
        patterns = PatternTable(room: patternMemory)
        slots = AttributeSlots(isCaseSensitive: keysAreCaseSensitive || !semantics.honoursCaseInsensitiveKeys)
    }

    /// Compiles one rule set.
    mutating func compile(_ groups: [RuleGroup]) -> CompiledRules {
        begin()
        sources.append(groups, at: conditions.count)
        let adapter = RuleAdapter(semantics: semantics)
        for group in groups {
            var index = 0
            for end in group.clauseEnds {
                while index < end {
                    append(group.conditions[index], adapter.action(of: group.conditions[index]), of: nil)
                    index += 1
                }
                endClause()
            }
            endGroup()
        }
        return end()
    }

    /// Compiles the rule set that `adapter` makes of `tree`.
    ///
    /// - Parameters:
    ///   - path: the JSON path of the graph, for the diagnostics.
    ///   - diagnostics: what is wrong is appended here.
    mutating func compile(
        _ tree: RuleTree, flattenedBy adapter: RuleAdapter, path: String, diagnostics: inout [ConfigDiagnostic]
    ) -> CompiledRules {
        begin()
        sources.append(tree, flattenedBy: adapter, at: conditions.count)
        adapter.flatten(tree, path: path, into: &self, diagnostics: &diagnostics)
        for (place, error) in patternErrors where diagnostics.count < ConfigDiagnostic.limit {
            let leaf = ".OR[\(place.group)].AND[\(place.clause)].OR_WHEN[\(place.condition)]"
            diagnostics.append(
                ConfigDiagnostic(path: path + leaf + ".value", message: "\(error): the leaf never matches."))
        }
        return end()
    }

    private mutating func begin() {
        firstGroup = groupEnds.count
        firstCondition = conditions.count
        hasEmptyClause = false
        patternErrors = []
        place = Place()
    }

    private mutating func end() -> CompiledRules {
        let range = firstCondition..<conditions.count
        return CompiledRules(
            groups: firstGroup..<groupEnds.count, conditions: range, shape: shape(of: conditions[range]))
    }

    private func shape(of conditions: ArraySlice<ConditionRow>) -> CompiledRules.Shape {
        if conditions.isEmpty { return .empty }
        if hasEmptyClause { return .irregular }
        return conditions.allSatisfy(\.endsClause) ? .conjunctions : .clauses
    }
}

extension RuleProgramBuilder: RuleSink {
    mutating func append(_ condition: RuleCondition, _ action: RuleAction, of leaf: RuleLeaf?) {
        let errorCount = patternErrors.count
        let comparison = number(of: row(of: condition, action))
        let row = ConditionRow(comparison: comparison, isNegated: condition.negation)
        // What is wrong with a leaf is reported wherever the leaf stands.
        if let leaf, condition.defect == nil, patternErrors.count == errorCount { leafRows[leaf.identity] = row }
        append(row)
    }

    mutating func appendAgain(_ leaf: RuleLeaf) -> Bool {
        guard let row = leafRows[leaf.identity] else { return false }
        append(row)
        return true
    }

    private mutating func append(_ row: ConditionRow) {
        conditions.append(row)
        place.condition += 1
        // Where all leaves of a clause must hold, each is a clause.
        if semantics.requiresAllLeaves { appendClause() }
    }

    mutating func endClause() {
        if place.condition == 0 { hasEmptyClause = true }
        if !semantics.requiresAllLeaves || place.condition == 0 { appendClause() }
        place.clause += 1
        place.condition = 0
    }

    private mutating func appendClause() {
        if let last = conditions.indices.last, last >= firstCondition { conditions[last].endsClause = true }
        clauseEnds.append(Int32(truncatingIfNeeded: conditions.count))
    }

    mutating func endGroup() {
        if let last = conditions.indices.last, last >= firstCondition { conditions[last].endsGroup = true }
        groupEnds.append(Int32(truncatingIfNeeded: clauseEnds.count))
        place.group += 1
        place.clause = 0
    }

    /// The number of a comparison, which is added if there is none that answers alike.
    private mutating func number(of row: ComparisonRow) -> Int {
        let number = known[row.identity, default: comparisons.count]
        if number == comparisons.count {
            known[row.identity] = number
            comparisons.append(row)
        }
        return number
    }
}

extension RuleProgramBuilder {
    private mutating func row(of condition: RuleCondition, _ action: RuleAction) -> ComparisonRow {
        switch action {
        case .null: return ComparisonRow(kind: .null)
        case .never: return ComparisonRow(kind: .never)
        case .compare(let operation):
            let slot = slots.intern(condition.attribute, needs: operation.needs)
            var row = row(of: operation, condition.value, slot: slot)
            switch row.kind {
            // In a long list each part of the text is looked up; what arrays and objects are ordered by costs its length.
            case .textInMany, .lessThanOther, .atMostOther: slots.add(.text, to: slot)
            default: break
            }
            row.slot = UInt32(truncatingIfNeeded: slot)
            row.condition = UInt32(truncatingIfNeeded: conditions.count)
            return row
        }
    }

    private mutating func row(of operation: Operation, _ value: JSValue?, slot: Int) -> ComparisonRow {
        // An object in place of a list is an empty one, and is not made text of.
        let isTextless =
            if case .isIn = operation, value?.objectValue != nil { false } else { ECMAScript.throwsInToString(value) }
        if isTextless && operation.needsOperandText { return ComparisonRow(kind: .never) }
        switch operation {
        case .equals: return equality(with: value, isTextless: isTextless, slot: slot)
        case .isIn: return membership(in: value, slot: slot)
        case .contains:
            if let row = row(.containsUnits, readingUnitsOf: value) { return row }
            let text = texts.lowercase(of: value)
            if texts.isBlank(text) { return ComparisonRow(kind: .anyText) }
            var row = row(.contains, reading: text)
            row.operand = TextPairs.bits(of: texts.bytes[text.indices])
            return row
        case .startsWith:
            if let row = row(.startsWithUnits, readingUnitsOf: value) { return row }
            let text = texts.lowercase(of: value)
            if text.count == 0 { return ComparisonRow(kind: .anyText) }
            var row = row(.startsWith, reading: text)
            row.operand = texts.bytes.withUnsafeBufferPointer { ByteText($0, text).beginning }
            return row
        case .endsWith:
            return row(.endsWithUnits, readingUnitsOf: value) ?? row(.endsWith, reading: texts.lowercase(of: value))
        case .less: return order(before: value, number: .lessThanNumber, text: .lessThanText, other: .lessThanOther)
        case .lessEqual: return order(before: value, number: .atMostNumber, text: .atMostText, other: .atMostOther)
        case .regexMatches: return match(of: ECMAScript.toPropertyKey(value))
        case .exists: return ComparisonRow(kind: .exists)
        case .doesNotExist: return ComparisonRow(kind: .doesNotExist)
        case .notExists: return ComparisonRow(kind: .notExists)
        case .mobile(let matcher):
            let operands = MobileOperand.list(of: value, for: matcher)
            var row = ComparisonRow(kind: .mobile, operand: UInt32(matcher.rawValue))
            row.range = TableRange(start: mobileOperands.count, count: operands.count)
            mobileOperands += operands
            return row
        }
    }

    private func row(_ kind: ComparisonRow.Kind, reading text: TableRange) -> ComparisonRow {
        var row = ComparisonRow(kind: kind)
        row.range = text
        return row
    }

    /// The row that reads the rule's text with each surrogate apart; `nil` if that is well-formed, and so can be looked for
    /// in UTF-8.
    private mutating func row(_ kind: ComparisonRow.Kind, readingUnitsOf value: JSValue?) -> ComparisonRow? {
        guard case .illFormedString(let text) = ECMAScript.toStringValue(value) else { return nil }
        return row(kind, reading: texts.separated(text.lowercase))
    }

    private mutating func equality(with value: JSValue?, isTextless: Bool, slot: Int) -> ComparisonRow {
        var row = ComparisonRow(kind: isTextless ? .textlessEquals : .textEquals, valueKind: AttributeKind(of: value))
        if isTextless { return unlike(others: row) }
        // Arrays and objects see the spelling of the value, which its lowercase does not have.
        row.bits = UInt64(texts.spelling(of: value).number)
        row.operand = texts.number(ofLowercase: value, in: slot)
        return row
    }

    private mutating func membership(in value: JSValue?, slot: Int) -> ComparisonRow {
        var numbers = texts.numbers(ofListed: value, in: slot)
        if numbers.allSatisfy({ $0 < 64 }) {
            return ComparisonRow(kind: .textIn, bits: numbers.reduce(0) { $0 | 1 << UInt64($1) })
        }
        var row = ComparisonRow(kind: .textInMany)
        numbers.sortAndMakeUnique(from: 0)
        row.range = TableRange(start: listNumbers.count, count: numbers.count)
        listNumbers += numbers
        return row
    }

    private mutating func order(
        before value: JSValue?, number: ComparisonRow.Kind, text: ComparisonRow.Kind, other: ComparisonRow.Kind
    ) -> ComparisonRow {
        switch value {
        case .integer, .number, .string, .illFormedString:
            if value?.numberValue != nil || NumericShape.isNumeric(value) {
                var row = ComparisonRow(kind: number)
                row.number = NumericShape.isNumeric(value) ? NumericShape.toNumber(value) : value?.numberValue ?? 0
                return row
            }
            return row(text, reading: texts.spelling(of: value).text)
        default: return unlike(others: ComparisonRow(kind: other, valueKind: AttributeKind(of: value)))
        }
    }

    private mutating func match(of pattern: PropertyKey) -> ComparisonRow {
        switch patterns.compile(pattern) {
        case .success(let index):
            return ComparisonRow(kind: .matchesPattern, operand: UInt32(truncatingIfNeeded: index))
        case .failure(let error):
            patternErrors.append((place, error))
            // The reference throws and catches it: no match, whatever the negation.
            return ComparisonRow(kind: semantics.negatesInvalidPatterns && error.isSyntax ? .matchesNothing : .never)
        }
    }

    /// The row with an identity of its own: its condition's value tells it from others.
    private func unlike(others row: ComparisonRow) -> ComparisonRow {
        var row = row
        row.bits = UInt64(conditions.count)
        return row
    }
}
