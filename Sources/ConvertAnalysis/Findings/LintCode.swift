/// The kinds of findings. More may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LintCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// An id or key that names nothing in the config.
    case unknownReference = "unknown-reference"
    /// Two entities of one kind with the same id.
    case duplicateID = "duplicate-id"
    /// Two entities of one kind with the same key.
    case duplicateKey = "duplicate-key"
    /// An entity, or a part of one, that is left out or never matches because of its shape.
    case malformed = "malformed"
    /// A condition without something that its operator needs.
    case incompleteCondition = "incomplete-condition"
    /// A condition with an operator that does not exist.
    case unknownOperator = "unknown-operator"
    /// A `regexMatches` pattern that is not valid syntax.
    case invalidPattern = "invalid-pattern"
    /// A pattern that no text matches.
    case emptyPattern = "pattern-matches-nothing"
    /// A pattern that may be given up because matching takes too long.
    case expensivePattern = "pattern-may-exceed-budget"
    /// A value whose type its operator cannot compare.
    case incomparableValue = "incomparable-value"
    /// A condition that holds for no visitor.
    case conditionNeverHolds = "condition-never-holds"
    /// A condition that holds for every visitor.
    case conditionAlwaysHolds = "condition-always-holds"
    /// A group of conditions that exclude each other.
    case groupNeverHolds = "group-never-holds"
    /// A group, or an experience's conditions, that only an attribute that is an array or an object meets.
    case groupNeedsList = "group-needs-list"
    /// A group that only lets in visitors whom earlier groups let in, too.
    case groupImplied = "group-implied"
    /// A condition that occurs twice in one group.
    case duplicateCondition = "duplicate-condition"
    /// An audience that holds for no visitor.
    case audienceNeverHolds = "audience-never-holds"
    /// An audience that holds for every visitor.
    case audienceAlwaysHolds = "audience-always-holds"
    /// A location, a segment, a goal or a site area that no visitor matches.
    case rulesNeverHold = "rules-never-hold"
    /// A location, a segment, a goal or a site area that every visitor matches.
    case rulesAlwaysHold = "rules-always-hold"
    /// An experience that no new visitor can enter.
    case experienceUnreachable = "experience-unreachable"
    /// A variation that no new visitor gets.
    case variationUnreachable = "variation-unreachable"
    /// Running variations whose allocations add up to less than 100 %.
    case allocationBelow = "allocation-below-100"
    /// Running variations whose allocations add up to more than 100 %.
    case allocationAbove = "allocation-above-100"
    /// Running variations whose allocations are all 0.
    case allocationZero = "allocation-zero"
    /// A negative allocation.
    case allocationNegative = "allocation-negative"
    /// An allocation that is missing or not a number.
    case allocationUnreadable = "allocation-unreadable"
    /// Fixed ranges of variations that overlap, so visitors move when one of them changes.
    case anchoredOverlap = "anchored-overlap"
    /// A condition on a report segment, which the SDK takes out of a context's attributes and stores.
    case reportSegment = "reads-report-segment"
    /// A value of a feature's variable that cannot be cast to its type.
    case variableCast = "variable-cast"
    /// A feature that no running experience carries.
    case featureUnused = "feature-unused"
    /// Conditions that `bucketed_into_experience_key` overrides.
    case conditionsOverridden = "conditions-overridden"
    /// An experience that excludes the visitors of another one that is decided later.
    case exclusionOrder = "exclusion-order"
    /// An environment that no call can name, or that the project does not have.
    case unknownEnvironment = "unknown-environment"
    /// Names that differ only in case.
    case caseVariants = "case-variants"
    /// An attribute that is compared as text in one place and as a number in another.
    case mixedTypes = "mixed-types"
    /// A member that is never read.
    case unreadMember = "unread-member"
    /// A value with an unexpected shape, which is silently replaced by something else.
    case readOtherwise = "read-otherwise"
    /// A list with an item that no visitor with the item's own text matches.
    case listMissesItem = "list-misses-item"
    /// A value with blanks around it.
    case outerBlanks = "outer-blanks"
    /// A pattern in the dialect of another engine, which means something else here.
    case foreignPattern = "foreign-pattern"
    /// A pattern that matches more or less than it seems to: `^a|b$`, or `?` in an address.
    case loosePattern = "loose-pattern"
    /// A pattern that older JavaScript engines cannot read, so that browsers decide differently.
    case newSyntaxPattern = "new-syntax-pattern"
    /// A wildcard, a pattern, a number or a foreign notation as the value of an operator that compares plain text.
    case literalPattern = "literal-pattern"
    /// Alternatives that each exclude one value, so that together they exclude none.
    case negatedAlternatives = "negated-alternatives"
    /// Names of attributes, or keys of entities of one kind, that are nearly alike.
    case similarNames = "similar-names"
    /// An attribute that is compared with a boolean in one place and with a word for one in another.
    case mixedFlags = "mixed-flags"
    /// A word with letters of another script that look like its own, or with characters that are not shown.
    case lookAlikeLetters = "look-alike-letters"
    /// Variations that carry the same features and variables.
    case identicalVariations = "identical-variations"
    /// A feature that all variations of an experience carry alike.
    case constantFeature = "constant-feature"
    /// A variation that carries a feature without a variable that others set.
    case missingVariable = "missing-variable"
    /// A feature that one variation carries several times.
    case featureCarriedTwice = "feature-carried-twice"
    /// A feature that a visitor gets from several experiences.
    case sharedFeature = "shared-feature"
    /// An audience, a location, a segment or a goal that no experience names.
    case unattached = "unattached"
    /// An experiment without goals.
    case noGoals = "no-goals"
    /// Allocations that look like fractions of 1, but count as percentages.
    case fractionalAllocation = "fractional-allocation"
    /// An experience that excludes the visitors of others, which leave it at most one visitor of a hundred.
    case fewVisitorsLeft = "few-visitors-left"
    /// A version that is compared as a number, so 2.10 comes before 2.9.
    case versionAsNumber = "version-as-number"
    /// An attribute that is compared with a time in seconds in one place, and with milliseconds or a date in another.
    case mixedTimeUnits = "mixed-time-units"
    /// An exception of the lint, or a finding of its baseline, that leaves out no finding.
    case unusedException = "unused-exception"
    /// A question that could not be decided.
    case undecided = "undecided"
    /// A note that there are more findings than listed.
    case moreFindings = "more-findings"

    /// The severity of this kind, unless the finding says otherwise.
    var severity: LintFinding.Severity {
        switch self {
        case .unknownReference, .duplicateID, .duplicateKey, .malformed, .incompleteCondition, .unknownOperator,
            .invalidPattern, .emptyPattern, .groupNeverHolds, .audienceNeverHolds, .rulesNeverHold,
            .experienceUnreachable, .allocationZero, .allocationNegative, .variableCast, .unknownEnvironment:
            .error
        case .expensivePattern, .incomparableValue, .conditionNeverHolds, .conditionAlwaysHolds, .groupNeedsList,
            .groupImplied, .duplicateCondition, .audienceAlwaysHolds, .rulesAlwaysHold, .variationUnreachable,
            .allocationAbove, .allocationUnreadable, .anchoredOverlap, .featureUnused, .conditionsOverridden,
            .exclusionOrder, .caseVariants, .mixedTypes, .readOtherwise:
            .warning
        case .listMissesItem, .outerBlanks, .foreignPattern, .loosePattern, .newSyntaxPattern, .literalPattern,
            .negatedAlternatives, .similarNames, .mixedFlags, .lookAlikeLetters, .identicalVariations, .constantFeature,
            .missingVariable, .featureCarriedTwice, .sharedFeature, .unattached, .noGoals, .fractionalAllocation,
            .fewVisitorsLeft, .versionAsNumber, .mixedTimeUnits:
            .suspicious
        case .allocationBelow, .reportSegment, .unreadMember, .unusedException, .undecided, .moreFindings:
            .note
        }
    }

    /// Whether a finding of this kind may be the reason why something else never holds.
    var isCause: Bool {
        switch self {
        case .unknownReference, .malformed, .incompleteCondition, .unknownOperator, .invalidPattern, .emptyPattern,
            .incomparableValue, .conditionNeverHolds, .groupNeverHolds, .groupNeedsList, .audienceNeverHolds,
            .rulesNeverHold,
            .readOtherwise, .allocationAbove, .allocationNegative, .allocationUnreadable, .fractionalAllocation,
            .allocationZero, .experienceUnreachable, .fewVisitorsLeft, .foreignPattern, .unreadMember:
            true
        default: false
        }
    }
}
