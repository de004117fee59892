/// The questions on which the documents and the reference disagree, answered.
///
/// Parity with the JavaScript SDK needs ``javaScript``. ``standard`` answers as JavaScript wherever JavaScript can answer
/// anything but "never", except where rule data is missing: a later clause that holds does not hide that.
public enum RuleSemantics: String, Sendable, Hashable, CaseIterable, Codable {
    /// As the JavaScript SDK answers, accidents included.
    case javaScript
    /// The default.
    case standard
    /// The model that the Swift SDK 2.0 documents: leaves of one `OR_WHEN` must all hold.
    case flat
}

extension RuleSemantics {
    /// Whether all leaves of a clause must hold, instead of any.
    var requiresAllLeaves: Bool { self == .flat }

    /// Whether a leaf without `key` is looked up under its `rule_type`.
    var looksUpRuleType: Bool { self != .javaScript }

    /// Whether the mobile matchers are operators.
    var knowsMobileMatchers: Bool { self == .standard }

    /// Whether `not_exists` sees an absent attribute, as `doesNotExist` does.
    var letsNotExistsSeeAbsence: Bool { self != .javaScript }

    /// Whether only leaves of documented rule types can match.
    var needsDocumentedRuleType: Bool { self == .flat }

    /// Whether an absent attribute is compared as an empty text, except by `isIn` and `regexMatches`: these never hold for
    /// it, and are negated then.
    var comparesAbsentAsEmpty: Bool { self == .flat }

    /// Whether what makes the reference throw ends a call that decides several experiences.
    var throwsOnMalformedRules: Bool { self == .javaScript }

    /// Whether a call without location properties is one with an empty set of them.
    var takesMissingLocationAsEmpty: Bool { self != .javaScript }

    /// Whether an experience without `settings.matching_options` can have audiences to check: any of them must match.
    var takesMissingMatchingAsAny: Bool { self != .javaScript }

    /// Whether a group forgets that rule data was missing for one clause when a later clause holds, as the reference does.
    var letsLaterClausesHideMissingData: Bool { self == .javaScript }

    /// Whether attribute names may be matched without regard to case; the reference ignores the option.
    var honoursCaseInsensitiveKeys: Bool { self != .javaScript }

    /// Whether a variation whose id is a number on the wire can be handed out; the reference never finds it again.
    var findsNumericVariationIDs: Bool { self != .javaScript }

    /// Whether a declared feature whose id is a number is listed as disabled although a variation carries it: the reference
    /// compares the number with the text that it found.
    var listsNumberedFeaturesAgain: Bool { self == .javaScript }

    /// Whether a previewed variation turns its features on.
    var previewsFeatures: Bool { self != .javaScript }

    /// Whether a stored decision or goal is looked up in what every object of JavaScript inherits, too: each has a
    /// `constructor`.
    var readsInheritedMembers: Bool { self == .javaScript }

    /// Whether attributes with `name: "RuleData"` are taken for an object that answers for itself, and has no answers.
    var takesNamedAttributesForRuleData: Bool { self == .javaScript }

    /// Whether `less` and `lessEqual` hold of nothing but two numbers, and are negated where they do not.
    var ordersOnlyNumbers: Bool { self == .flat }

    /// Whether a negated `regexMatches` holds if its pattern is invalid.
    var negatesInvalidPatterns: Bool { self == .flat }

    /// Whether asking for one feature decides only the experiences that can carry it.
    var decidesOnlyCarriers: Bool { self != .javaScript }
}
