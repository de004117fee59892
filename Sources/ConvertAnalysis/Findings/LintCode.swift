/// The kinds of findings. More may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LintCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// An id or key names nothing in the config.
    case unknownReference = "unknown-reference"
    /// Two entities of one kind have one id.
    case duplicateID = "duplicate-id"
    /// Two entities of one kind have one key.
    case duplicateKey = "duplicate-key"
    /// An entity, or a part of one, that is left out or never matches because of its shape.
    case malformed = "malformed"
    /// A condition lacks what its operator needs.
    case incompleteCondition = "incomplete-condition"
    /// A condition names an operator that does not exist.
    case unknownOperator = "unknown-operator"
    /// The pattern of `regexMatches` cannot be read.
    case invalidPattern = "invalid-pattern"
    /// A pattern that no text matches.
    case emptyPattern = "pattern-matches-nothing"
    /// A pattern that may be given up because matching takes too long.
    case expensivePattern = "pattern-may-exceed-budget"
    /// A value of a type that its operator cannot compare.
    case incomparableValue = "incomparable-value"
    /// A condition that holds for no visitor.
    case conditionNeverHolds = "condition-never-holds"
    /// A condition that holds for every visitor.
    case conditionAlwaysHolds = "condition-always-holds"
    /// A group of conditions that exclude each other.
    case groupNeverHolds = "group-never-holds"
    /// A group, or what an experience asks for, that only an attribute that is an array or an object meets.
    case groupNeedsList = "group-needs-list"
    /// A group that adds no visitor to the groups before it.
    case groupImplied = "group-implied"
    /// A condition that stands twice in one group.
    case duplicateCondition = "duplicate-condition"
    /// An audience that holds for no visitor.
    case audienceNeverHolds = "audience-never-holds"
    /// An audience that holds for every visitor.
    case audienceAlwaysHolds = "audience-always-holds"
    /// A location, a segment, a goal or a site area that no visitor matches.
    case rulesNeverHold = "rules-never-hold"
    /// A location, a segment, a goal or a site area that everybody matches.
    case rulesAlwaysHold = "rules-always-hold"
    /// An experience that no visitor can enter.
    case experienceUnreachable = "experience-unreachable"
    /// A variation that no visitor gets.
    case variationUnreachable = "variation-unreachable"
    /// The allocations of the running variations are less than 100 %.
    case allocationBelow = "allocation-below-100"
    /// They are more than 100 %.
    case allocationAbove = "allocation-above-100"
    /// No running variation takes visitors.
    case allocationZero = "allocation-zero"
    /// An allocation is negative.
    case allocationNegative = "allocation-negative"
    /// An allocation is missing or no number.
    case allocationUnreadable = "allocation-unreadable"
    /// The fixed ranges of variations overlap, so visitors move when one of them changes.
    case anchoredOverlap = "anchored-overlap"
    /// A condition reads a report segment, which the SDK takes out of a context's attributes and stores.
    case reportSegment = "reads-report-segment"
    /// The value of a feature's variable cannot be cast to its type.
    case variableCast = "variable-cast"
    /// A feature that no running experience carries.
    case featureUnused = "feature-unused"
    /// Conditions that `bucketed_into_experience_key` overrides.
    case conditionsOverridden = "conditions-overridden"
    /// An experience that excludes those in one which is decided later.
    case exclusionOrder = "exclusion-order"
    /// An environment that no call can name, or that the project does not have.
    case unknownEnvironment = "unknown-environment"
    /// Names that differ only in case.
    case caseVariants = "case-variants"
    /// An attribute that is compared as text in one place and as a number in another.
    case mixedTypes = "mixed-types"
    /// A member that is never read.
    case unreadMember = "unread-member"
    /// A value of another shape than is read, in whose place something else counts silently.
    case readOtherwise = "read-otherwise"
    /// A list with an item that visitors with that text do not match.
    case listMissesItem = "list-misses-item"
    /// A value with blanks around it.
    case outerBlanks = "outer-blanks"
    /// A pattern in the dialect of another engine, which reads otherwise here.
    case foreignPattern = "foreign-pattern"
    /// A pattern that matches more or less than it seems to: `^a|b$`, or `?` in an address.
    case loosePattern = "loose-pattern"
    /// A pattern that older JavaScript engines cannot read, so that browsers decide otherwise.
    case newSyntaxPattern = "new-syntax-pattern"
    /// A wildcard, a pattern, a number or what another notation has, under an operator that compares plain text.
    case literalPattern = "literal-pattern"
    /// Alternatives that each exclude one value, so that together they exclude none.
    case negatedAlternatives = "negated-alternatives"
    /// Names of attributes that are nearly alike.
    case similarNames = "similar-names"
    /// An attribute that is compared with a boolean in one place and with a word for one in another.
    case mixedFlags = "mixed-flags"
    /// A word with letters of another script that look like its own, or with characters that are not shown.
    case lookAlikeLetters = "look-alike-letters"
    /// Variations that carry the same.
    case identicalVariations = "identical-variations"
    /// A feature that all variations of an experience carry alike.
    case constantFeature = "constant-feature"
    /// A variation that carries a feature without a variable that others set.
    case missingVariable = "missing-variable"
    /// A feature that one variation carries several times.
    case featureCarriedTwice = "feature-carried-twice"
    /// A feature that one visitor gets from several experiences.
    case sharedFeature = "shared-feature"
    /// An audience, a location, a segment or a goal that no experience names.
    case unattached = "unattached"
    /// An experiment that measures nothing.
    case noGoals = "no-goals"
    /// Allocations that look like fractions of 1 and count as percentages.
    case fractionalAllocation = "fractional-allocation"
    /// A version that is compared as a number, so that 2.10 is before 2.9.
    case versionAsNumber = "version-as-number"
    /// An attribute that is compared with a time in seconds in one place and in milliseconds in another.
    case mixedTimeUnits = "mixed-time-units"
    /// A question that could not be decided.
    case undecided = "undecided"
    /// There are more findings than are listed.
    case moreFindings = "more-findings"

    /// How bad a finding of this kind is, unless its place says otherwise.
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
            .versionAsNumber,
            .mixedTimeUnits:
            .suspicious
        case .allocationBelow, .reportSegment, .unreadMember, .undecided, .moreFindings:
            .note
        }
    }

    /// Whether a finding of this kind may be why something else never holds.
    var isCause: Bool {
        switch self {
        case .unknownReference, .malformed, .incompleteCondition, .unknownOperator, .invalidPattern, .emptyPattern,
            .incomparableValue, .conditionNeverHolds, .groupNeverHolds, .groupNeedsList, .audienceNeverHolds,
            .rulesNeverHold,
            .readOtherwise, .allocationAbove, .allocationNegative, .allocationUnreadable, .fractionalAllocation,
            .allocationZero, .experienceUnreachable, .foreignPattern, .unreadMember:
            true
        default: false
        }
    }
}
