internal import ConvertECMAScript

/// Every operator that a condition can name: the dispatch table from the wire's `match_type`.
package enum ComparisonOperator: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    case equals, equalsNumber, matches
    case less, lessEqual
    case contains, isIn, startsWith, endsWith, regexMatches
    case exists, notExists, doesNotExist
    case mobileEquals, mobileNotEquals, mobileExists, mobileNotExists
    case mobileGreater, mobileGreaterOrEqual, mobileLess, mobileLessOrEqual
    case mobileContains, mobileNotContains, mobileStartsWith, mobileEndsWith

    /// The operator that the wire calls `name`; names are case-sensitive.
    package init?(wireName name: String) {
        guard let place = Self.names.index(named: name) else { return nil }
        self.init(rawValue: UInt8(truncatingIfNeeded: place))
    }

    /// The names, in the order of the cases.
    private static let names: KeyTable = {
        var names = KeyTable()
        for known in allCases { _ = names.append(PropertyKey(known.wireName)) }
        return names
    }()

    /// The name on the wire.
    package var wireName: String {
        switch self {
        case .equals: "equals"
        case .equalsNumber: "equalsNumber"
        case .matches: "matches"
        case .less: "less"
        case .lessEqual: "lessEqual"
        case .contains: "contains"
        case .isIn: "isIn"
        case .startsWith: "startsWith"
        case .endsWith: "endsWith"
        case .regexMatches: "regexMatches"
        case .exists: "exists"
        case .notExists: "not_exists"
        case .doesNotExist: "doesNotExist"
        case .mobileEquals: "eq"
        case .mobileNotEquals: "ne"
        case .mobileExists: "ex"
        case .mobileNotExists: "nx"
        case .mobileGreater: "gt"
        case .mobileGreaterOrEqual: "ge"
        case .mobileLess: "lt"
        case .mobileLessOrEqual: "le"
        case .mobileContains: "co"
        case .mobileNotContains: "nc"
        case .mobileStartsWith: "sw"
        case .mobileEndsWith: "ew"
        }
    }

    /// Whether it is one of the mobile family.
    package var isMobile: Bool { rawValue >= Self.mobileEquals.rawValue }

    /// Whether a condition is complete without a `value`: it asks for presence only.
    func needsNoValue(under semantics: RuleSemantics) -> Bool {
        switch self {
        case .exists, .doesNotExist, .mobileExists, .mobileNotExists: true
        case .notExists: semantics.letsNotExistsSeeAbsence
        default: false
        }
    }

    /// Whether nothing holds, negated or not, once the operand has no text.
    var needsOperandText: Bool {
        switch self {
        case .less, .lessEqual, .contains, .isIn, .startsWith, .endsWith, .regexMatches: true
        default: false
        }
    }

    /// Whether `semantics` know it as an operator.
    func isKnown(under semantics: RuleSemantics) -> Bool { !isMobile || semantics.knowsMobileMatchers }

    /// The operator that the wire calls `name`, if `semantics` know it.
    package init?(wireName name: String, under semantics: RuleSemantics) {
        self.init(wireName: name)
        if !isKnown(under: semantics) { return nil }
    }

    /// What the attribute must be prepared with.
    var needs: AttributeNeeds {
        switch self {
        case .equals, .equalsNumber, .matches, .contains, .startsWith, .endsWith, .regexMatches: [.lowercase]
        case .isIn: [.text]
        // The text is read of text only, and that is there in any case.
        case .less, .lessEqual: [.number]
        default: []
        }
    }
}

/// The forms of an attribute that some condition reads.
struct AttributeNeeds: OptionSet, Sendable {
    let rawValue: UInt8

    /// Its ToString.
    static let text = AttributeNeeds(rawValue: 1)
    /// The lowercase of its ToString.
    static let lowercase = AttributeNeeds(rawValue: 2)
    /// Its number, if it counts as one.
    static let number = AttributeNeeds(rawValue: 4)
}
