internal import ConvertECMAScript

/// Builds a ``RuleProgram``: interns attribute names and prepares every operand.
struct RuleCompiler {
    let semantics: RuleSemantics
    private(set) var attributes: AttributeTable
    private(set) var conditions: [PreparedCondition] = []
    private(set) var clauseEnds: [Int32] = []
    private(set) var groupEnds: [Int32] = []
    private(set) var pool: [UInt8] = []
    private(set) var lists: [PoolRange] = []
    private(set) var mobileOperands: [MobileOperand] = []
    private(set) var patterns = PatternTable()
    private(set) var sources: [RuleCondition] = []
    /// What is wrong with the patterns of the rule set compiled last.
    private(set) var patternErrors: [PatternError] = []

    /// A pattern that cannot be compiled, and where it stands in its rule set.
    struct PatternError {
        let group: Int
        let clause: Int
        let condition: Int
        let error: RegExpSyntaxError
    }

    init(semantics: RuleSemantics, keysAreCaseSensitive: Bool = true) {
        self.semantics = semantics
        attributes = AttributeTable(isCaseSensitive: keysAreCaseSensitive || !semantics.honoursCaseInsensitiveKeys)
    }

    /// Compiles one rule set.
    mutating func compile(_ groups: [RuleGroup]) -> CompiledRules {
        let start = groupEnds.count
        patternErrors = []
        for index in groups.indices {
            compile(groups[index], at: index)
            groupEnds.append(Int32(truncatingIfNeeded: clauseEnds.count))
        }
        return CompiledRules(groups: start..<groupEnds.count)
    }

    private mutating func compile(_ group: RuleGroup, at place: Int) {
        var start = 0
        for clause in group.clauseEnds.indices {
            for index in start..<group.clauseEnds[clause] {
                let (prepared, error) = prepare(group.conditions[index])
                conditions.append(prepared)
                if let error {
                    patternErrors.append(
                        PatternError(group: place, clause: clause, condition: index - start, error: error))
                }
            }
            start = group.clauseEnds[clause]
            clauseEnds.append(Int32(truncatingIfNeeded: conditions.count))
        }
        sources += group.conditions
    }

    private mutating func prepare(_ condition: RuleCondition) -> (PreparedCondition, RegExpSyntaxError?) {
        let comparison = ComparisonOperator(wireName: condition.matchType)
        var prepared = PreparedCondition(operator: comparison ?? .equals, negation: condition.negation)
        switch condition.defect {
        case .null: prepared.action = .malformed
        case .invalid: prepared.action = .never
        case nil: if comparison == nil { prepared.action = .never }
        }
        guard prepared.action == .compare, let comparison else { return (prepared, nil) }
        prepared.whenAbsent = resultWhenAbsent(of: comparison, negation: condition.negation)
        if let key = condition.key {
            prepared.slot = Int32(truncatingIfNeeded: attributes.intern(key, needs: comparison.needs))
        }
        prepared.operand = prepare(condition.value, for: comparison)
        guard comparison == .regexMatches else { return (prepared, nil) }
        switch patterns.compile(ECMAScript.toString(condition.value)) {
        case .success(let index):
            prepared.operand.pattern = Int32(truncatingIfNeeded: index)
            return (prepared, nil)
        case .failure(let error):
            // The reference throws and catches it: no match, whatever the negation.
            prepared.action = .never
            return (prepared, error)
        }
    }

    private func resultWhenAbsent(of comparison: ComparisonOperator, negation: Bool) -> Bool? {
        switch comparison {
        case .exists, .mobileExists: return negation
        case .doesNotExist, .mobileNotExists: return !negation
        case .notExists: return semantics.letsNotExistsSeeAbsence ? !negation : false
        default: return semantics.comparesAbsentAsEmpty ? nil : false
        }
    }

    /// The operand of `comparison` made of the rule's `value`; `nil` is ECMAScript's `undefined`.
    private mutating func prepare(_ value: JSValue?, for comparison: ComparisonOperator) -> PreparedOperand {
        var operand = PreparedOperand()
        operand.kind = kind(of: value)
        switch comparison {
        case .equals, .equalsNumber, .matches, .contains, .startsWith, .endsWith:
            let text = ECMAScript.toLowerCase(ECMAScript.toString(value))
            operand.range = append(text)
            operand.isBlank = text.unicodeScalars.allSatisfy(ECMAScript.isWhiteSpace)
        case .isIn:
            operand.range = appendList(of: value)
        case .less, .lessEqual:
            operand.range = append(ECMAScript.toString(value))
            operand.isNumeric = NumericShape.isNumeric(value)
            operand.number = operand.isNumeric ? NumericShape.toNumber(value) : value?.numberValue ?? 0
            if case .bool(true)? = value { operand.number = 1 }
        case .regexMatches, .exists, .notExists, .doesNotExist:
            break
        default:
            let values = MobileOperand.list(of: value, for: MobileMatcher(comparison))
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

    /// The lowercased items of an `isIn` operand: text is split at `|`, an array is not, anything else is empty.
    private mutating func appendList(of value: JSValue?) -> PoolRange {
        let items: [String]
        switch value {
        case .string(let text):
            items = text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
                ECMAScript.toLowerCase(String(Substring($0)))
            }
        case .array(let elements):
            items = elements.map { ECMAScript.toLowerCase(ECMAScript.toString($0)) }
        default:
            items = []
        }
        let start = lists.count
        for item in items.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { lists.append(append(item)) }
        return PoolRange(start: start, count: items.count)
    }
}
