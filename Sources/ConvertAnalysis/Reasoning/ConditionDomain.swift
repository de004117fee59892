internal import ConvertECMAScript
internal import ConvertSwiftSDKCore
internal import ConvertValues

/// What one condition answers for every value that its attribute can have, under some semantics.
///
/// An attribute is absent or a JSON value. What a condition answers, its negation included, comes from the rule engine
/// for a single value, and from automata and ranges for all texts and numbers at once.
final class ConditionDomain {
    /// Why nothing is known about all texts.
    enum Opacity: String {
        case backReference = "its pattern has a back reference"
        case lookaround = "its pattern looks around"
        case tooLarge = "its pattern is too large for an automaton"
        case mobile = "its matcher tells graphemes or number formats apart"
    }

    /// What is asked of an array.
    enum ArrayQuestion {
        /// The same of every array.
        case constant(Bool)
        /// Whether it has this element.
        case element(JSValue, isNegated: Bool)
        /// Something about its text; of one without a text it never holds.
        case text
        case unknown
    }

    let condition: RuleCondition
    let semantics: RuleSemantics
    /// The attribute; `nil` if the condition names none.
    var attribute: PropertyKey? { condition.attribute }
    /// What it does with the attribute and the value; `nil` if it names no operator.
    let operation: Operation?
    private let rules: SingleRuleSet
    /// What it answers without regard to any attribute, if that is so.
    let constant: Bool?
    /// What it answers for a text, its own and its lower case.
    let text: any TextMachine
    /// What it answers for the text of a number; `nil` if ``numbers`` says it.
    let numberText: (any TextMachine)?
    /// The finite numbers for which it holds, if it compares numbers.
    let numbers: NumberRanges?
    /// What it asks of an array.
    let array: ArrayQuestion
    /// Why it is not known for all values; `nil` if it is.
    let opacity: Opacity?

    /// - Parameters:
    ///   - facts: those of a condition that compares the same, if they are known.
    ///   - patterns: compiled patterns.
    init(
        _ condition: RuleCondition, _ facts: ComparisonFacts? = nil, semantics: RuleSemantics,
        _ patterns: PatternPool = PatternPool()
    ) {
        let facts = facts ?? ComparisonFacts(condition, semantics, patterns)
        self.condition = condition
        self.semantics = semantics
        operation = Operation(wireName: condition.matchType, under: semantics)
        rules = SingleRuleSet([RuleGroup(clauses: [[condition]])], semantics: semantics, patterns: patterns)
        var absent = rules.resolve(JSObject())
        let whenAbsent = rules.verdict(on: &absent).isMatch
        constant = condition.attribute == nil || facts.neverCompares != nil ? facts.neverCompares ?? whenAbsent : nil
        text = facts.text
        numberText = facts.numberText
        numbers = facts.numbers
        array = facts.array
        opacity = facts.opacity
    }

    /// What the rule engine answers where the attribute is absent.
    private(set) lazy var holdsForAbsent = holds(for: nil)

    /// What the rule engine answers for a value; `nil` is an absent attribute.
    func holds(for value: JSValue?) -> Bool {
        var attributes = JSObject()
        if let attribute, let value { attributes[attribute] = value }
        var resolved = rules.resolve(attributes)
        return rules.verdict(on: &resolved).isMatch
    }

    /// The rule's value in the forms in which a visitor may have it: what is worth trying first.
    var samples: [JSValue] {
        guard let value = condition.value else { return [] }
        switch operation {
        case .isIn?:
            if case .string(let list) = value {
                return list.split(separator: "|", maxSplits: 8, omittingEmptySubsequences: false).map {
                    .string(ECMAScript.toLowerCase(String($0)))
                }
            }
            return (value.arrayValue ?? []).prefix(8).map { ECMAScript.toPropertyKey($0).lowercase.value }
        case .regexMatches?:
            // A search would take a state for each character.
            let literal = value.stringValue.flatMap { PatternText($0).literal }
            return literal.map { [.string(ECMAScript.toLowerCase($0))] } ?? []
        default:
            if let elements = value.arrayValue { return Array(elements.prefix(8)) }
            return value.isNull || value.objectValue != nil ? [] : [value]
        }
    }

    /// The key that an object has if the condition, not negated, holds for it.
    var memberName: String? {
        switch operation {
        case .equals?:
            ECMAScript.throwsInToString(condition.value) ? nil : ECMAScript.toString(condition.value)
        default: nil
        }
    }

    /// Whether it asks for presence alone.
    var asksForPresence: Bool {
        switch operation {
        case .exists?, .notExists?, .doesNotExist?, .mobile(.exists)?, .mobile(.notExists)?: true
        default: false
        }
    }

    /// Whether it compares numbers, as `less` with a number does.
    var comparesNumbers: Bool { numbers != nil }
}

/// What a condition's operator and value come down to.
struct ComparisonFacts {
    /// What it answers for every value, if it compares none.
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
            // Only Swift text can be blank.
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

    /// The items of a list, lowercased: text as a whole before it is split, elements one by one.
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
            // What the reference throws on never holds; to the letter of the documents it is a miss like any other.
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
        // To the letter of the documents what is not compared is a miss like any other; the reference never lets it
        // hold.
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
        // Where no bound is needed, all numbers are on one side.
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
        // An array is no leaf of an event: it meets nothing.
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
        // No text contains the empty one here.
        if place == .anywhere, texts.contains("") { return }
        opacity = place == .whole ? nil : .mobile
        text =
            needles.isEmpty
            ? ConstantMachine(Truth(isNegated))
            : MobileMachine(
                needles, isEquality: place == .whole, needsAll: matcher.needsAllOperands, isNegated: isNegated)
    }

    /// A rule whose values are all null is dropped, presence or not.
    private mutating func readMobilePresence(_ matcher: MobileMatcher) {
        guard MobileOperand.list(of: condition.value, for: matcher).isEmpty else { return }
        text = ConstantMachine(Truth(isNegated))
        numberText = text
        array = .constant(isNegated)
        opacity = nil
    }
}
