package import ConvertECMAScript

/// The comparators behind every operator, with the negation applied last.
///
/// Stateless. The rule's side is prepared once and the visitor's once per context; what runs per condition compares
/// bytes and numbers.
package enum Comparisons {
    /// Compares a value with a rule's, as a condition of a rule graph would.
    ///
    ///     Comparisons.evaluate(matchType: "contains", value: "Summer Sale", testAgainst: "sale")  // true
    ///
    /// - Parameters:
    ///   - matchType: the operator's name on the wire, one of JavaScript's operators or of the mobile matchers.
    ///   - value: the visitor's side; `nil` is JavaScript's `undefined`.
    ///   - testAgainst: the rule's side; `nil` is `undefined`. A mobile matcher compares with each element of an array.
    ///   - negated: whether to invert the result.
    ///   - semantics: which operators are known, and what they answer where the profiles differ.
    /// - Returns: whether the comparison holds; `false`, negated or not, for an unknown operator and wherever JavaScript
    ///   throws. Both sides are prepared anew at each call; rule sets do it once.
    package static func evaluate(
        matchType: String, value: JSValue?, testAgainst: JSValue?, negated: Bool = false,
        semantics: RuleSemantics = .standard
    ) -> Bool {
        var compiler = RuleProgramBuilder(semantics: semantics)
        let condition = RuleCondition(key: "", matchType: matchType, value: testAgainst, negation: negated)
        _ = compiler.compile([RuleGroup(clauses: [[condition]])])
        let program = RuleProgram(compiler)
        switch program.conditions[0].action {
        case .compare: break
        case .misses: return negated
        case .never, .malformed: return false
        }
        return evaluate(conditionAt: 0, of: program, value: value) ?? false
    }

    /// Compares a value with those of a mobile rule's matcher, where an absent value is compared too.
    ///
    /// - Parameters:
    ///   - matcher: `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw` or `ew`.
    ///   - value: the event's value. An array or object is no leaf of an event, so it is absent, as `null` and `nil` are.
    ///   - values: the rule's values: any of them must meet the matcher, all of them for `ne` and `nc`. Without any an
    ///     empty text is compared; elements that are null, arrays or objects are dropped.
    /// - Returns: whether the matcher holds; `false` for an unknown one, and if every value was dropped.
    package static func evaluate(mobileMatcher matcher: String, value: JSValue?, values: [JSValue]) -> Bool {
        guard let matcher = MobileMatcher(wireName: matcher) else { return false }
        let operands = MobileOperand.list(of: .array(values), for: matcher)
        let leaf: JSValue?
        switch value {
        case .null, .array, .object: leaf = nil
        default: leaf = value
        }
        return matcher.matches(leaf, operands[...])
    }

    /// Compares a single value by the condition at `index`.
    static func evaluate(conditionAt index: Int, of program: RuleProgram, value: JSValue?) -> Bool? {
        var attributes = Attributes(value)
        return program.lend(&attributes) { input in
            input.attributes.slots.baseAddress.flatMap { evaluate(index, input, $0, slot: 0) }
        }
    }

    /// The dispatch: the condition at `index` against an attribute that is not absent. `nil` if it takes too long to find
    /// out, which is no match, negated or not.
    @inline(__always)
    static func evaluate(
        _ index: Int, _ input: AttributeReader, _ place: UnsafePointer<Attribute>, slot: Int
    ) -> Bool? {
        // Where they lie: the common operators read a few members of each.
        var condition: PreparedCondition { _read { yield input.rules.conditions[index] } }
        var operand: PreparedOperand { _read { yield input.rules.conditions[index].operand } }
        var attribute: Attribute { _read { yield place.pointee } }
        let holds: Bool
        switch condition.operation {
        case .equals:
            switch attribute.kind {
            case .array:
                holds = hasMember(input.attributes.value(in: slot), index, input)
            case .object:
                if operand.isTextless { return false }
                holds = hasMember(input.attributes.value(in: slot), index, input)
            default:
                if operand.isTextless { return false }
                holds = input.lowercase(attribute) == input.text(operand)
            }
        case .less, .lessEqual:
            if attribute.isTextless { return false }
            if let isLess = isLess(index, attribute, input, slot: slot) {
                holds = isLess
            } else if input.rules.semantics.ordersOnlyNumbers {
                holds = false
            } else {
                // A type mismatch is not negated.
                return false
            }
        case .contains:
            if attribute.isTextless { return false }
            holds = operand.isBlank || input.lowercase(attribute).contains(input.text(operand))
        case .startsWith:
            if attribute.isTextless { return false }
            holds = input.lowercase(attribute).hasPrefix(input.text(operand))
        case .endsWith:
            if attribute.isTextless { return false }
            holds = input.lowercase(attribute).hasSuffix(input.text(operand))
        case .isIn:
            if attribute.isTextless { return false }
            holds = isIn(input.text(attribute), operand.range, input)
        case .exists:
            holds = isPresent(attribute)
        case .notExists, .doesNotExist:
            holds = !isPresent(attribute)
        case .regexMatches:
            if attribute.isTextless { return false }
            guard let isMatch = matches(input.lowercase(attribute), operand, input) else { return nil }
            holds = isMatch
        case .mobile(let matcher):
            return meets(matcher, index, input, slot: slot)
        }
        return holds != condition.negation
    }

    /// Not inlined, as other operators' ways that are long or rare are not: the common ones would be slower for it.
    @inline(never)
    private static func meets(
        _ matcher: MobileMatcher, _ index: Int, _ input: AttributeReader, slot: Int
    ) -> Bool {
        let condition = input.rules.conditions[index]
        let value = input.attributes.value(in: slot)
        // To the mobile family a null is an absent value, which only presence matchers see.
        if value?.isNull == true { return condition.whenAbsent ?? false }
        let holds = matcher.matches(value, input.rules.program.mobileOperands[condition.operand.range.indices])
        return holds != condition.negation
    }

    /// Everything exists but an absent value, `null` and empty text.
    private static func isPresent(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .unresolved, .absent, .undefined, .null: false
        case .string: attribute.text.count > 0
        default: true
        }
    }
}
