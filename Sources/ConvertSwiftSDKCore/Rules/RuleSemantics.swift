/// How to evaluate rules where the documents and the JavaScript SDK disagree.
///
/// Use ``javaScript`` for parity with the JavaScript SDK. ``standard`` answers like JavaScript wherever JavaScript has
/// an answer other than "never", with one exception: a later clause that holds does not hide missing rule data.
public enum RuleSemantics: String, Sendable, Hashable, CaseIterable, Codable {
    /// Answers like the JavaScript SDK, including its accidental behaviour.
    case javaScript
    /// The default.
    case standard
    /// The model that the Swift SDK 2.0 documents: all leaves of an `OR_WHEN` must hold.
    case flat
}

extension RuleSemantics {
    /// Whether all leaves of a clause must hold, instead of any.
    var requiresAllLeaves: Bool { self == .flat }

    /// Whether a leaf without `key` reads the attribute that is named like its `rule_type`.
    var looksUpRuleType: Bool { self != .javaScript }

    /// Whether the mobile matchers are operators.
    var knowsMobileMatchers: Bool { self == .standard }

    /// Whether `not_exists` matches an absent attribute, like `doesNotExist`.
    var letsNotExistsSeeAbsence: Bool { self != .javaScript }

    /// Whether only leaves of documented rule types can match.
    var needsDocumentedRuleType: Bool { self == .flat }

    /// Whether an absent attribute is compared as an empty text. Even then, `isIn` and `regexMatches` never hold for
    /// it, and their negations do.
    var comparesAbsentAsEmpty: Bool { self == .flat }

    /// Whether rules on which the reference throws end a call that decides several experiences.
    var throwsOnMalformedRules: Bool { self == .javaScript }

    /// Whether missing location properties count as an empty set of them.
    var takesMissingLocationAsEmpty: Bool { self != .javaScript }

    /// Whether the audiences of an experience without `settings.matching_options` are checked. One of them must match.
    var takesMissingMatchingAsAny: Bool { self != .javaScript }

    /// Whether a later clause that holds hides that rule data was missing for an earlier clause, as in the reference.
    var letsLaterClausesHideMissingData: Bool { self == .javaScript }

    /// Whether attribute names can be compared ignoring case; the reference ignores the option.
    var honoursCaseInsensitiveKeys: Bool { self != .javaScript }

    /// Whether decisions can return a variation whose id is a number in the config. The reference never finds such a
    /// variation.
    var findsNumericVariationIDs: Bool { self != .javaScript }

    /// Whether a declared feature whose id is a number is listed as disabled although a variation carries it. The
    /// reference compares the number with text.
    var listsNumberedFeaturesAgain: Bool { self == .javaScript }

    /// Whether a previewed variation enables its features.
    var previewsFeatures: Bool { self != .javaScript }

    /// Whether look-ups of stored decisions and goals also find members that every JavaScript object inherits, such as
    /// `constructor`.
    var readsInheritedMembers: Bool { self == .javaScript }

    /// Whether attributes with `name: "RuleData"` are treated as a rule-data object that has no answers.
    var takesNamedAttributesForRuleData: Bool { self == .javaScript }

    /// Whether only numbers have an order. Between other values `less` and `lessEqual` do not hold, and their negations
    /// do.
    var ordersOnlyNumbers: Bool { self == .flat }

    /// Whether a negated `regexMatches` holds if its pattern is invalid.
    var negatesInvalidPatterns: Bool { self == .flat }

    /// Whether asking for one feature decides only the experiences that can carry it.
    var decidesOnlyCarriers: Bool { self != .javaScript }
}
