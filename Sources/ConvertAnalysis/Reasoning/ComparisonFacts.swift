internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The answers that follow from a condition's operator and value.
struct ComparisonFacts {
    /// The answer for every value if the condition never compares; otherwise `nil`.
    private(set) var neverCompares: Bool?
    private(set) var text: any TextMachine = ConstantMachine(.no)
    private(set) var numberText: (any TextMachine)?
    private(set) var numbers: NumberRanges?
    private(set) var array = ConditionDomain.ArrayQuestion.constant(false)
    private(set) var opacity: ConditionDomain.Opacity?

    private let condition: RuleCondition
    private let semantics: RuleSemantics
    private let patterns: PatternPool
    private var isNegated: Bool { condition.negation }

    init(_ condition: RuleCondition, _ semantics: RuleSemantics, _ patterns: PatternPool) {
        self.condition = condition
        self.patterns = patterns
        self.semantics = semantics
        guard condition.defect == nil, let comparison = Operation(wireName: condition.matchType, under: semantics)
        else {
            neverCompares = false
            return
        }
        let value = condition.value
        let isTextless = ECMAScript.throwsInToString(value)
        array = .text
        switch comparison {
        case .equals:
            text = isTextless ? ConstantMachine(.no) : needle(.whole)
            array = value.map { .element($0, isNegated: condition.negation) } ?? .constant(isNegated)
        case .contains:
            // Text with a lone surrogate is never blank, so the Swift text is enough.
            let isBlank = ECMAScript.toPropertyKey(value).text.unicodeScalars.allSatisfy(ECMAScript.isWhiteSpace)
            text =
                isBlank
                ? ConstantMachine(Truth(!isNegated)) : needle(.anywhere)
            if isTextless { neverCompares = false }
        case .startsWith:
            text = needle(.start)
            if isTextless { neverCompares = false }
        case .endsWith:
            text = needle(.end)
            if isTextless { neverCompares = false }
        case .isIn:
            text = ListMachine(items, isNegated: isNegated)
            if isTextless, value?.objectValue == nil { neverCompares = false }
        case .regexMatches:
            readPattern()
        case .exists, .mobile(.exists):
            text = comparison == .exists ? NonEmptyMachine(isNegated: isNegated) : ConstantMachine(Truth(!isNegated))
            array = .constant(!isNegated)
        case .notExists, .doesNotExist, .mobile(.notExists):
            text =
                comparison == .mobile(.notExists)
                ? ConstantMachine(Truth(isNegated)) : NonEmptyMachine(isNegated: !isNegated)
            array = .constant(isNegated)
        case .less, .lessEqual:
            readOrder(orEqual: comparison == .lessEqual)
            if isTextless { neverCompares = false }
        case .mobile(let matcher):
            readMobileMatcher(matcher)
        }
        if numberText == nil, numbers == nil { numberText = text }
        if case .mobile(let matcher) = comparison { readMobilePresence(matcher) }
    }

    private var lowerCase: [UInt16] { ECMAScript.toPropertyKey(condition.value).lowercase.codeUnits }

    private func needle(_ place: NeedleMachine.Place) -> NeedleMachine {
        NeedleMachine(lowerCase, place, isNegated: isNegated)
    }

    /// The items of a list in lower case. A text is converted before it is split; elements are converted one by one.
    private var items: [[UInt16]] {
        switch condition.value {
        case .string, .illFormedString:
            lowerCase.split(separator: 0x7C, omittingEmptySubsequences: false).map(Array.init)
        case .array(let elements): elements.map { ECMAScript.toPropertyKey($0).lowercase.codeUnits }
        default: []
        }
    }

    private mutating func readPattern() {
        guard !ECMAScript.throwsInToString(condition.value) else {
            neverCompares = false
            return
        }
        guard let expression = try? patterns.expression(of: ECMAScript.toPropertyKey(condition.value)).get() else {
            // Where the reference throws, the condition never holds. Under the flat semantics it counts as a miss,
            // which negation inverts.
            neverCompares = semantics == .flat && isNegated
            return
        }
        do {
            text = PatternMachine(try PatternStates(expression), isNegated: isNegated)
        } catch {
            text = ConstantMachine(.unknown)
            opacity =
                switch error {
                case .backReference: .backReference
                case .lookaround: .lookaround
                case .tooLarge: .tooLarge
                }
        }
    }

    private mutating func readOrder(orEqual: Bool) {
        // A value that is not compared counts as a miss under the flat semantics, which negation inverts. Under the
        // reference's, the condition never holds.
        let mismatch = semantics == .flat && isNegated
        text = ConstantMachine(Truth(mismatch))
        array = .constant(mismatch)
        guard let value = condition.value else { return }
        let bound: Double
        switch value {
        case .integer, .number: bound = value.numberValue ?? .nan
        case .string, .illFormedString:
            guard NumericShape.isNumeric(value) else {
                if semantics != .flat {
                    text = OrderMachine(
                        ECMAScript.toPropertyKey(value).codeUnits, orEqual: orEqual, isNegated: isNegated)
                    numberText = ConstantMachine(.no)
                }
                return
            }
            bound = NumericShape.toNumber(value)
        case .bool: return
        case .null, .array, .object:
            if semantics != .flat { array = .unknown }
            return
        }
        let below = NumberRanges(below: bound, orEqual: orEqual)
        numbers = isNegated ? below.inverted : below
        let decimal = DecimalMachine.Bound(bound, orEqual: orEqual)
        // Without a bound, all numbers are on one side.
        let isBelow = decimal != nil || bound > 0
        text = DecimalMachine(
            .init(
                bound: decimal, below: isBelow != isNegated, above: isNegated, otherwise: mismatch))
    }

    private mutating func readMobileMatcher(_ matcher: MobileMatcher) {
        let operands = MobileOperand.list(of: condition.value, for: matcher)
        opacity = .mobile
        text = ConstantMachine(.unknown)
        numberText = ConstantMachine(.unknown)
        // In an event, an array is not a leaf, so it meets no condition.
        array = .constant(isNegated)
        let texts = operands.compactMap { operand -> String? in
            if case .text(let text) = operand { text.text } else { nil }
        }
        guard texts.count == operands.count, texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } })
        else { return }
        let place: NeedleMachine.Place
        switch matcher {
        case .equals, .notEquals: place = .whole
        case .contains, .notContains: place = .anywhere
        case .startsWith: place = .start
        case .endsWith: place = .end
        default: return
        }
        let needles = texts.map { NeedleMachine(Array($0.utf16), place, isNegated: matcher.needsAllOperands) }
        // Here, no text contains the empty text.
        if place == .anywhere, texts.contains("") { return }
        opacity = place == .whole ? nil : .mobile
        text =
            needles.isEmpty
            ? ConstantMachine(Truth(isNegated))
            : MobileMachine(
                needles, isEquality: place == .whole, needsAll: matcher.needsAllOperands, isNegated: isNegated)
    }

    /// A rule whose values are all `null` is dropped, even if it asks for presence.
    private mutating func readMobilePresence(_ matcher: MobileMatcher) {
        guard MobileOperand.list(of: condition.value, for: matcher).isEmpty else { return }
        text = ConstantMachine(Truth(isNegated))
        numberText = text
        array = .constant(isNegated)
        opacity = nil
    }
}
