public import ConvertECMAScript

/// The comparators behind every operator, with the negation applied last.
///
/// Stateless. The rule's side is prepared once and the visitor's once per context; what runs per condition compares
/// bytes and numbers.
public enum Comparisons {
    /// Compares a value with a rule's, as a condition of a rule graph would.
    ///
    ///     Comparisons.evaluate(matchType: "contains", value: "Summer Sale", testAgainst: "sale")  // true
    ///
    /// - Parameters:
    ///   - matchType: the operator's name on the wire, one of JavaScript's operators or of the mobile matchers.
    ///   - value: the visitor's side; `nil` is JavaScript's `undefined`.
    ///   - testAgainst: the rule's side; `nil` is `undefined`. A mobile matcher compares with each element of an array.
    ///   - negated: whether to invert the result.
    /// - Returns: whether the comparison holds; `false`, negated or not, for an unknown operator and wherever JavaScript
    ///   throws. Both sides are prepared anew at each call; rule sets do it once.
    public static func evaluate(
        matchType: String, value: JSValue?, testAgainst: JSValue?, negated: Bool = false
    ) -> Bool {
        var compiler = RuleCompiler(semantics: .standard)
        let condition = RuleCondition(key: "", matchType: matchType, value: testAgainst, negation: negated)
        _ = compiler.compile([RuleGroup(clauses: [[condition]])])
        let program = RuleProgram(compiler)
        guard program.conditions[0].action == .compare else { return false }
        return evaluate(program.conditions[0], of: program, value: value) ?? false
    }

    /// Compares a value with those of a mobile rule's matcher, where an absent value is compared too.
    ///
    /// - Parameters:
    ///   - matcher: `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw` or `ew`.
    ///   - value: the event's value. An array or object is no leaf of an event, so it is absent, as `null` and `nil` are.
    ///   - values: the rule's values: any of them must meet the matcher, all of them for `ne` and `nc`. Without any an
    ///     empty text is compared; elements that are null, arrays or objects are dropped.
    /// - Returns: whether the matcher holds; `false` for an unknown one, and if every value was dropped.
    public static func evaluate(mobileMatcher matcher: String, value: JSValue?, values: [JSValue]) -> Bool {
        guard let comparison = ComparisonOperator(wireName: matcher), comparison.isMobile else { return false }
        let matcher = MobileMatcher(comparison)
        let operands = MobileOperand.list(of: .array(values), for: matcher)
        let leaf: JSValue?
        switch value {
        case .null, .array, .object: leaf = nil
        default: leaf = value
        }
        return matcher.matches(leaf, operands[...])
    }

    /// Compares a single value by a prepared condition.
    static func evaluate(_ condition: PreparedCondition, of program: RuleProgram, value: JSValue?) -> Bool? {
        let attributes = ResolvedAttributes(value)
        return program.withOperands { operands in
            attributes.lend { attributes in
                evaluate(condition, Comparison(operands: operands, attributes: attributes), attributes[0], slot: 0)
            }
        }
    }

    /// The dispatch: one condition against one attribute that is not absent. `nil` if it takes too long to find out, which
    /// is no match, negated or not.
    @inline(__always)
    static func evaluate(
        _ condition: PreparedCondition, _ comparison: Comparison, _ attribute: ResolvedAttribute, slot: Int
    ) -> Bool? {
        let operand = condition.operand
        let holds: Bool
        switch condition.comparison {
        case .equals, .equalsNumber, .matches:
            switch attribute.kind {
            case .array, .object:
                holds = hasMember(comparison.attributes.value(in: slot), condition, comparison)
            default:
                holds = comparison.lowercase(attribute) == comparison.text(operand)
            }
        case .less, .lessEqual:
            // A type mismatch is not negated.
            guard let isLess = isLess(condition, attribute, comparison, slot: slot) else { return false }
            holds = isLess
        case .contains:
            holds = operand.isBlank || comparison.lowercase(attribute).contains(comparison.text(operand))
        case .startsWith:
            holds = comparison.lowercase(attribute).hasPrefix(comparison.text(operand))
        case .endsWith:
            holds = comparison.lowercase(attribute).hasSuffix(comparison.text(operand))
        case .isIn:
            holds = isIn(comparison.text(attribute), operand.list, comparison)
        case .exists:
            holds = isPresent(attribute)
        case .notExists, .doesNotExist:
            holds = !isPresent(attribute)
        case .regexMatches:
            guard let isMatch = comparison.matches(attribute, pattern: operand) else { return nil }
            holds = isMatch
        case .mobileEquals, .mobileNotEquals, .mobileExists, .mobileNotExists, .mobileGreater, .mobileGreaterOrEqual,
            .mobileLess, .mobileLessOrEqual, .mobileContains, .mobileNotContains, .mobileStartsWith, .mobileEndsWith:
            let value = comparison.attributes.value(in: slot)
            // To the mobile family a null is an absent value, which only presence matchers see.
            if value?.isNull == true { return condition.whenAbsent ?? false }
            holds = MobileMatcher(condition.comparison).matches(value, comparison.mobileOperands(operand))
        }
        return holds != condition.negation
    }

    /// Everything exists but an absent value, `null` and empty text.
    private static func isPresent(_ attribute: ResolvedAttribute) -> Bool {
        switch attribute.kind {
        case .absent, .undefined, .null: false
        case .string: attribute.text.count > 0
        default: true
        }
    }
}

/// What a comparator reads: the program's operands and the attributes, both lent.
struct Comparison {
    let operands: OperandPool
    let attributes: LentAttributes

    @inline(__always)
    func text(_ attribute: ResolvedAttribute) -> ByteText { ByteText(attributes.pool, attribute.text) }

    @inline(__always)
    func lowercase(_ attribute: ResolvedAttribute) -> ByteText { ByteText(attributes.pool, attribute.lowercase) }

    @inline(__always)
    func text(_ operand: PreparedOperand) -> ByteText { ByteText(operands.pool, operand.text) }

    /// Whether the operand's pattern matches the attribute's lowercase; `nil` if that takes too long to find out.
    func matches(_ attribute: ResolvedAttribute, pattern operand: PreparedOperand) -> Bool? {
        try? operands.program.takeUnretainedValue().patterns[operand.list.start].test(
            utf8: lowercase(attribute).bytes)
    }

    func mobileOperands(_ operand: PreparedOperand) -> ArraySlice<MobileOperand> {
        operands.program.takeUnretainedValue().mobileOperands[
            operand.list.start..<(operand.list.start + operand.list.count)]
    }
}

/// The program's operand texts, lent for one evaluation, without reference counting.
///
/// Invariant: as of a ``ByteText``, nobody keeps one beyond the call that lent it.
struct OperandPool {
    let program: Unmanaged<RuleProgram>
    let pool: UnsafeBufferPointer<UInt8>
    let lists: UnsafeBufferPointer<PoolRange>
}

extension RuleProgram {
    /// Lends the operands to `body`.
    @inline(__always)
    func withOperands<Result>(_ body: (OperandPool) -> Result) -> Result {
        pool.withUnsafeBufferPointer { pool in
            lists.withUnsafeBufferPointer { lists in
                body(OperandPool(program: .passUnretained(self), pool: pool, lists: lists))
            }
        }
    }
}
