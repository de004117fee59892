internal import ConvertECMAScript

/// Builds a ``RuleProgram``: interns attribute names and prepares every operand.
struct RuleProgramBuilder {
    let semantics: RuleSemantics
    private(set) var attributes: AttributeSlots
    private(set) var conditions: [PreparedCondition] = []
    private(set) var clauseEnds: [Int32] = []
    private(set) var groupEnds: [Int32] = []
    private(set) var pool: [UInt8] = []
    private(set) var lists: [PoolRange] = []
    private(set) var mobileOperands: [MobileOperand] = []
    private(set) var patterns: PatternTable
    private(set) var sources = RuleSources()
    /// What is wrong with the patterns of the rule set that is compiled.
    private var patternErrors: [PatternError] = []
    /// Indices of its first group and of the first clause of the group that is compiled.
    private var firstGroup = 0
    private var firstClause = 0

    /// A pattern that cannot be compiled, and where it stands in its rule set.
    private struct PatternError {
        let group: Int
        let clause: Int
        let condition: Int
        let error: PatternTable.Failure
    }

    init(
        semantics: RuleSemantics, keysAreCaseSensitive: Bool = true, patternMemory: Int = ConfigLimits.patternMemory
    ) {
        self.semantics = semantics
        patterns = PatternTable(room: patternMemory)
        attributes = AttributeSlots(isCaseSensitive: keysAreCaseSensitive || !semantics.honoursCaseInsensitiveKeys)
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
                    append(group.conditions[index], adapter.action(of: group.conditions[index]))
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
        for problem in patternErrors where diagnostics.count < ConfigDiagnostic.limit {
            let leaf = ".OR[\(problem.group)].AND[\(problem.clause)].OR_WHEN[\(problem.condition)]"
            diagnostics.append(
                ConfigDiagnostic(path: path + leaf + ".value", message: "\(problem.error): the leaf never matches."))
        }
        return end()
    }

    private mutating func begin() {
        firstGroup = groupEnds.count
        firstClause = clauseEnds.count
        patternErrors = []
    }

    private func end() -> CompiledRules { CompiledRules(groups: firstGroup..<groupEnds.count) }

    private mutating func prepare(
        _ condition: RuleCondition, _ action: RuleAction
    ) -> (PreparedCondition, PatternTable.Failure?) {
        guard case .compare(let operation) = action else {
            var prepared = PreparedCondition(operation: .equals, negation: condition.negation)
            prepared.action = if case .null = action { .malformed } else { .never }
            return (prepared, nil)
        }
        var prepared = PreparedCondition(operation: operation, negation: condition.negation)
        prepared.whenAbsent = resultWhenAbsent(of: operation, negation: condition.negation)
        if let key = condition.key {
            prepared.slot = Int32(truncatingIfNeeded: attributes.intern(key, needs: operation.needs))
        }
        prepared.operand = prepare(condition.value, for: operation)
        if prepared.operand.isTextless && operation.needsOperandText {
            prepared.action = .never
            return (prepared, nil)
        }
        guard operation == .regexMatches else { return (prepared, nil) }
        switch patterns.compile(ECMAScript.toString(condition.value)) {
        case .success(let index):
            prepared.operand.pattern = Int32(truncatingIfNeeded: index)
            return (prepared, nil)
        case .failure(let error):
            // The reference throws and catches it: no match, whatever the negation.
            prepared.action = semantics.negatesInvalidPatterns && error.isSyntax ? .misses : .never
            return (prepared, error)
        }
    }

    private func resultWhenAbsent(of operation: Operation, negation: Bool) -> Bool? {
        switch operation {
        case .exists, .mobile(.exists): return negation
        case .doesNotExist, .mobile(.notExists): return !negation
        case .notExists: return false
        default: return semantics.comparesAbsentAsEmpty ? nil : false
        }
    }

    /// The operand of `operation` made of the rule's `value`; `nil` is ECMAScript's `undefined`.
    private mutating func prepare(_ value: JSValue?, for operation: Operation) -> PreparedOperand {
        var operand = PreparedOperand()
        operand.kind = kind(of: value)
        // An object in place of a list is an empty one, and is not made text of.
        operand.isTextless = ECMAScript.throwsInToString(value) && !(operation == .isIn && operand.kind == .object)
        switch operation {
        case .equals, .contains, .startsWith, .endsWith:
            operand.range = appendLowerCase(of: ECMAScript.toString(value))
            operand.isBlank = isBlank(operand.range)
        case .isIn:
            operand.range = appendList(of: value)
        case .less, .lessEqual:
            operand.range = append(ECMAScript.toString(value))
            operand.isNumeric = NumericShape.isNumeric(value)
            operand.number = operand.isNumeric ? NumericShape.toNumber(value) : value?.numberValue ?? 0
            if case .bool(true)? = value { operand.number = 1 }
        case .regexMatches, .exists, .notExists, .doesNotExist:
            break
        case .mobile(let matcher):
            let values = MobileOperand.list(of: value, for: matcher)
            operand.range = PoolRange(start: mobileOperands.count, count: values.count)
            mobileOperands += values
        }
        return operand
    }

    private func kind(of value: JSValue?) -> AttributeKind {
        switch value {
        case nil: .undefined
        case .null: .null
        case .bool: .boolean
        case .integer, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    private mutating func append(_ text: String) -> PoolRange {
        let start = pool.count
        pool.append(contentsOf: text.utf8)
        return PoolRange(start: start, count: pool.count - start)
    }

    private mutating func appendLowerCase(of text: String) -> PoolRange {
        let start = pool.count
        var text = text
        text.withUTF8 { ECMAScript.appendLowerCase(utf8: $0, to: &pool) }
        return PoolRange(start: start, count: pool.count - start)
    }

    /// Whether a text of the pool is nothing but white space.
    private func isBlank(_ text: PoolRange) -> Bool {
        let bytes = pool[text.start..<text.start + text.count]
        // What begins with a letter or a digit, as nearly every text does, need not be decoded.
        if let first = bytes.first, first > 0x20, first < 0x80 { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy(ECMAScript.isWhiteSpace)
    }

    /// The lowercased items of an `isIn` operand: text is split at `|`, an array is not, anything else is empty.
    private mutating func appendList(of value: JSValue?) -> PoolRange {
        let start = lists.count
        switch value {
        case .string(let text):
            // Lowercased as a whole, because the case of what stands beside a `|` does not depend on what is beyond it.
            var rest = appendLowerCase(of: text).indices
            while let separator = pool[rest].firstIndex(of: UInt8(ascii: "|")) {
                lists.append(PoolRange(start: rest.lowerBound, count: separator - rest.lowerBound))
                rest = separator + 1..<rest.upperBound
            }
            lists.append(PoolRange(start: rest.lowerBound, count: rest.count))
        case .array(let elements):
            for element in elements { lists.append(appendLowerCase(of: ECMAScript.toString(element))) }
        default: break
        }
        sortLists(from: start)
        return PoolRange(start: start, count: lists.count - start)
    }

    private mutating func sortLists(from start: Int) {
        let texts = pool
        texts.withUnsafeBufferPointer { pool in
            lists[start...].sort { ByteText(pool, $0).compare(ByteText(pool, $1)) < 0 }
        }
    }
}

extension RuleProgramBuilder: RuleSink {
    mutating func append(_ condition: RuleCondition, _ action: RuleAction) {
        let (prepared, error) = prepare(condition, action)
        if let error {
            let clauseStart = clauseEnds.last.map { Int($0) } ?? 0
            patternErrors.append(
                PatternError(
                    group: groupEnds.count - firstGroup, clause: clauseEnds.count - firstClause,
                    condition: conditions.count - clauseStart, error: error))
        }
        conditions.append(prepared)
    }

    mutating func endClause() { clauseEnds.append(Int32(truncatingIfNeeded: conditions.count)) }

    mutating func endGroup() {
        groupEnds.append(Int32(truncatingIfNeeded: clauseEnds.count))
        firstClause = clauseEnds.count
    }
}
