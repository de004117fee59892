internal import ConvertECMAScript
internal import ConvertSwiftSDKCore
internal import ConvertValues

/// A condition's answers for every value that its attribute can have, under some semantics.
///
/// An attribute is absent or a JSON value. The answers include the condition's negation. For a single value they come
/// from the rule engine; for all texts and numbers together, from automata and ranges.
final class ConditionDomain {
    /// The reason why the answers for all texts are not known.
    enum Opacity: String {
        case backReference = "its pattern has a back reference"
        case lookaround = "its pattern looks around"
        case tooLarge = "its pattern is too large for an automaton"
        case mobile = "its matcher tells graphemes or number formats apart"
    }

    /// The part of an array that decides the answer.
    enum ArrayQuestion {
        /// No part: all arrays get the same answer.
        case constant(Bool)
        /// Whether the array contains this element.
        case element(JSValue, isNegated: Bool)
        /// The array's text. For an array without a text, the condition never holds.
        case text
        case unknown
    }

    let condition: RuleCondition
    let semantics: RuleSemantics
    /// The attribute's name; `nil` if the condition has no name.
    var attribute: PropertyKey? { condition.attribute }
    /// The operator; `nil` if the condition's operator does not exist.
    let operation: Operation?
    private let rules: SingleRuleSet
    /// The answer if it does not depend on the attribute; otherwise `nil`.
    let constant: Bool?
    /// The answers for texts, by their original or lower-case form.
    let text: any TextMachine
    /// The answers for the texts of numbers; `nil` if ``numbers`` has the answers.
    let numberText: (any TextMachine)?
    /// The finite numbers for which the condition holds; `nil` if it does not compare numbers.
    let numbers: NumberRanges?
    /// The part of an array that decides the answer.
    let array: ArrayQuestion
    /// The reason why some answers are not known; `nil` if all are known.
    let opacity: Opacity?

    /// - Parameters:
    ///   - facts: the facts of a condition with the same comparison, if they are known.
    ///   - patterns: the compiled patterns.
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

    /// The rule engine's answer for an absent attribute.
    private(set) lazy var holdsForAbsent = holds(for: nil)

    /// The rule engine's answer for a value; `nil` stands for an absent attribute.
    func holds(for value: JSValue?) -> Bool {
        var attributes = JSObject()
        if let attribute, let value { attributes[attribute] = value }
        var resolved = rules.resolve(attributes)
        return rules.verdict(on: &resolved).isMatch
    }

    /// The rule's value in the forms that visitors may have; a search tries them first.
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
            return patternSample.map { [.string($0)] } ?? []
        default:
            if let elements = value.arrayValue { return Array(elements.prefix(8)) }
            return value.isNull || value.objectValue != nil ? [] : [value]
        }
    }

    /// A text that a pattern may match. A search would need a state for each character, and for each state a step at
    /// each place where the pattern may continue.
    private lazy var patternSample = (text as? PatternMachine)?.sample.map(ECMAScript.toLowerCase)

    /// The key whose presence in an object makes the condition hold, before negation; `nil` if no key does.
    var memberName: String? {
        switch operation {
        case .equals?:
            ECMAScript.throwsInToString(condition.value) ? nil : ECMAScript.toString(condition.value)
        default: nil
        }
    }

    /// Whether the condition only asks whether the attribute exists.
    var asksForPresence: Bool {
        switch operation {
        case .exists?, .notExists?, .doesNotExist?, .mobile(.exists)?, .mobile(.notExists)?: true
        default: false
        }
    }

    /// Whether the condition compares numbers, such as `less` with a number.
    var comparesNumbers: Bool { numbers != nil }
}
