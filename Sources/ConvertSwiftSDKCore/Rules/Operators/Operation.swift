internal import ConvertECMAScript
package import ConvertValues

/// What a condition does with its attribute and its value.
package enum Operation: Sendable, Hashable, BitwiseCopyable {
    case equals, less, lessEqual, contains, isIn, startsWith, endsWith, regexMatches
    case exists, doesNotExist
    /// `not_exists` where it differs from ``doesNotExist``: it never matches an absent attribute.
    case notExists
    /// A matcher of the mobile rules.
    case mobile(MobileMatcher)

    /// Creates the operator with the config's `name`, or returns `nil` if `semantics` do not know the name. Names are
    /// case-sensitive.
    package init?(wireName name: String, under semantics: RuleSemantics) {
        guard let operation = Self.byName[PropertyKey(name)] else { return nil }
        switch operation {
        case .mobile where !semantics.knowsMobileMatchers: return nil
        case .notExists where semantics.letsNotExistsSeeAbsence: self = .doesNotExist
        default: self = operation
        }
    }

    /// The names of all operators; the mobile matchers come last.
    package static var wireNames: [String] { Comparisons.names.map(\.name) }

    private static let byName = Dictionary(
        Comparisons.names.map { (PropertyKey($0.name), $0.operation) }, uniquingKeysWith: { first, _ in first })

    /// Whether a condition is complete without a `value`, because it only checks presence.
    package var needsNoValue: Bool {
        switch self {
        case .exists, .doesNotExist, .mobile(.exists), .mobile(.notExists): true
        default: false
        }
    }
}
