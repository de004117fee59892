internal import ConvertECMAScript
package import ConvertValues

/// What a condition does with its attribute and its value.
package enum Operation: Sendable, Hashable, BitwiseCopyable {
    case equals, less, lessEqual, contains, isIn, startsWith, endsWith, regexMatches
    case exists, doesNotExist
    /// `not_exists` where it differs from ``doesNotExist``: an absent attribute never matches.
    case notExists
    /// One of the mobile family.
    case mobile(MobileMatcher)

    /// The operator that the wire calls `name`, or `nil` if `semantics` know none of that name. Names are case-sensitive.
    package init?(wireName name: String, under semantics: RuleSemantics) {
        guard let operation = Self.named(name) else { return nil }
        switch operation {
        case .mobile where !semantics.knowsMobileMatchers: return nil
        case .notExists where semantics.letsNotExistsSeeAbsence: self = .doesNotExist
        default: self = operation
        }
    }

    /// All names of operators, the mobile family's last.
    package static var wireNames: [String] { byName.map(\.name.name) }

    /// The operator that some semantics call `name`.
    static func named(_ name: String) -> Operation? { names.index(named: name).map { byName[$0].operation } }

    private static let byName: [(name: PropertyKey, operation: Operation)] =
        [
            ("equals", .equals), ("equalsNumber", .equals), ("matches", .equals), ("less", .less),
            ("lessEqual", .lessEqual),
            ("contains", .contains), ("isIn", .isIn), ("startsWith", .startsWith), ("endsWith", .endsWith),
            ("regexMatches", .regexMatches), ("exists", .exists), ("not_exists", .notExists),
            ("doesNotExist", .doesNotExist),
        ] + MobileMatcher.names.map { (PropertyKey($0.name), .mobile($0.matcher)) }

    private static let names: KeyTable = {
        var names = KeyTable()
        for known in byName { _ = names.append(known.name) }
        return names
    }()

    /// Whether a condition is complete without a `value`: it asks for presence only.
    var needsNoValue: Bool {
        switch self {
        case .exists, .doesNotExist, .mobile(.exists), .mobile(.notExists): true
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

    /// What the attribute must be prepared with.
    var needs: AttributeNeeds {
        switch self {
        case .equals: [.equalNumber]
        case .contains: [.lowercase, .pairs]
        case .startsWith: [.lowercase, .beginning]
        case .endsWith, .regexMatches: [.lowercase]
        case .isIn: [.listNumber]
        // The text is read of text only, and that is there in any case.
        case .less, .lessEqual: [.number]
        default: []
        }
    }
}
