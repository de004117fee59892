package import ConvertECMAScript
internal import ConvertValues

/// The comparators behind every operator. What they answer is negated by ``Truth``.
///
/// Stateless. The rule's side is prepared once and the visitor's once per context; what runs per comparison reads bytes
/// and numbers.
package enum Comparisons {
    /// Compares a value with a rule's, as a condition of a rule graph would.
    ///
    ///     Comparisons.evaluate(matchType: "contains", value: "Summer Sale", testAgainst: "sale")  // true
    ///
    /// - Parameters:
    ///   - matchType: the operator's name on the wire, one of JavaScript's operators or of the mobile matchers.
    ///   - value: the visitor's side; `nil` is JavaScript's `undefined`, and an absent attribute under
    ///     ``RuleSemantics/flat``.
    ///   - testAgainst: the rule's side; `nil` is `undefined`. A mobile matcher compares with each element of an array.
    ///   - negated: whether to invert the result.
    ///   - semantics: which operators are known, and what they answer where the profiles differ.
    /// - Returns: whether the comparison holds; `false`, negated or not, for an unknown operator and wherever JavaScript
    ///   throws. Both sides are prepared anew at each call; rule sets do it once.
    package static func evaluate(
        matchType: String, value: JSValue?, testAgainst: JSValue?, negated: Bool = false,
        semantics: RuleSemantics = .standard
    ) -> Bool {
        var builder = RuleProgramBuilder(semantics: semantics)
        let condition = RuleCondition(key: "", matchType: matchType, value: testAgainst, negation: negated)
        _ = builder.compile([RuleGroup(clauses: [[condition]])])
        var budget = CallBudget()
        return truth(of: 0, on: value, in: RuleProgram(builder), &budget).holds(negated: negated)
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

    /// The comparison at `index` on a single value; `nil` is ECMAScript's `undefined`, or an absent attribute where absent
    /// ones are compared.
    static func truth(
        of index: Int, on value: JSValue?, in program: RuleProgram, _ budget: inout CallBudget
    ) -> Truth {
        let slot = Int(program.tables.pointee.comparisons[index].slot)
        var attributes = Attributes(value, comparedIn: slot, of: program)
        return program.lend(&attributes, &budget) { input in
            // The value was read for this comparison alone.
            let count = input.attributes.slots[0].text.count
            if count > CallBudget.freeTextCount { input.budget.pointee.spend(visits: visitsPerReadByte * count) }
            return truth(of: index, on: 0, input)
        }
    }

    /// Visits that it takes to make a byte of a value's text and to put it in lower case.
    private static let visitsPerReadByte = 8

    /// The dispatch: the comparison at `index` on the attribute at `place` of those that `input` reads.
    static func truth(of index: Int, on place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        let attribute = input.attributes.slots[place]
        if !row.kind.readsText { return presence(index, place, input) }
        if !attribute.isScalar, let truth = truthOfOther(index, place, input) { return truth }
        if let holds = holdsPlainly(input.rules.comparisons.pointer(at: index), input.slot(place)) {
            return Truth(holds)
        }
        if let truth = input.pay(for: row, on: attribute) { return truth }
        switch row.kind {
        case .lessThanNumber, .atMostNumber: return mismatch(input)
        case .contains: return Truth(input.lowercase(attribute).contains(input.text(row)))
        case .startsWith: return Truth(input.lowercase(attribute).hasPrefix(input.text(row)))
        case .endsWith: return Truth(input.lowercase(attribute).hasSuffix(input.text(row)))
        case .containsUnits, .startsWithUnits, .endsWithUnits: return matchesUnits(row, attribute, input)
        case .anyText: return Truth(true)
        case .textIn, .textInMany: return isAnyPartIn(index, place, input)
        case .matchesPattern: return matches(index, place, input)
        case .matchesNothing: return Truth(false)
        case .textlessEquals: return .neither
        default: return order(of: index, on: place, input)
        }
    }

    /// Whether the comparison holds, where numbers tell and the value is none of the others; else `nil`.
    @inline(__always)
    static func holdsPlainly(_ row: UnsafePointer<ComparisonRow>, _ attribute: UnsafePointer<Attribute>) -> Bool? {
        switch row.pointee.kind {
        case .textEquals: attribute.pointee.equalNumber == row.pointee.operand
        case .lessThanNumber where attribute.pointee.isNumber: attribute.pointee.number < row.pointee.number
        case .atMostNumber where attribute.pointee.isNumber: attribute.pointee.number <= row.pointee.number
        case .textIn where !attribute.pointee.hasBar: row.pointee.listsText(attribute.pointee.listNumber)
        case .contains where row.pointee.operand & ~attribute.pointee.pairs != 0: false
        case .startsWith where !row.pointee.mayBegin(attribute.pointee.beginning): false
        default: nil
        }
    }

    /// The truth of a comparison that reads no text.
    // Apart, as all that is long or rare here: it would slow the common operators down.
    @inline(never)
    private static func presence(_ index: Int, _ place: Int, _ input: AttributeReader) -> Truth {
        let attribute = input.attributes.slots[place]
        switch input.rules.comparisons[index].kind {
        case .null: return .malformed
        case .exists: return Truth(isPresent(attribute))
        case .doesNotExist: return Truth(!isPresent(attribute))
        case .notExists: return attribute.kind == .absent ? .neither : Truth(!isPresent(attribute))
        case .mobile: return mobileTruth(of: index, on: place, input)
        default: return .neither
        }
    }

    /// The truth on what is absent, an array or an object; `nil` if it is compared by its text as any other value.
    @inline(never)
    private static func truthOfOther(_ index: Int, _ place: Int, _ input: AttributeReader) -> Truth? {
        let attribute = input.attributes.slots[place]
        let isList = attribute.kind == .array
        guard isList || attribute.kind == .object else {
            return input.rules.semantics.comparesAbsentAsEmpty
                ? truthOfAbsent(input.rules.comparisons[index].kind) : .neither
        }
        switch input.rules.comparisons[index].kind {
        case .textEquals:
            return input.pay(for: input.rules.comparisons[index], on: attribute) ?? hasMember(index, place, input)
        case .textlessEquals:
            guard isList else { return .neither }
            return input.pay(for: input.rules.comparisons[index], on: attribute) ?? hasMember(index, place, input)
        default: return attribute.isTextless ? .neither : nil
        }
    }

    /// The truth on an absent attribute where it is compared as an empty text: `nil` if the operator does so.
    private static func truthOfAbsent(_ kind: ComparisonRow.Kind) -> Truth? {
        switch kind {
        case .textIn, .textInMany, .matchesPattern: Truth(false)
        default: nil
        }
    }

    /// The truth of a comparison of the mobile family.
    private static func mobileTruth(of index: Int, on place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        guard let matcher = MobileMatcher(rawValue: UInt8(truncatingIfNeeded: row.operand)) else { return .neither }
        switch (input.attributes.slots[place].kind, matcher) {
        // To the mobile family a null is an absent value, which only presence matchers see.
        case (.absent, .exists), (.null, .exists): return Truth(false)
        case (.absent, .notExists), (.null, .notExists): return Truth(true)
        case (.absent, _), (.null, _): return .neither
        default: break
        }
        let value = input.attributes.value(in: place)
        if let truth = input.pay(forMobile: row, on: value) { return truth }
        return Truth(matcher.matches(value, input.rules.program.mobileOperands[row.range.indices]))
    }

    /// Everything exists but an absent value, `null` and empty text.
    private static func isPresent(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .unresolved, .absent, .undefined, .null: false
        case .string: !attribute.isEmptyText
        default: true
        }
    }
}
