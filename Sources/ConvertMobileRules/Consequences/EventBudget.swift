/// What an event, and those that its consequences dispatch, may still cost together.
struct EventBudget {
    /// What comparisons with long texts may still take; see ``MobileRulesLimits/comparedLength``.
    var comparisonRoom = MobileRulesLimits.comparedLength
    /// Bytes that may still take the place of tokens; negative once they were too few, and from then on.
    var expansionRoom = MobileRulesLimits.expandedLength
    /// Values that merges may still look at or make; negative once they were too few, and from then on.
    var mergeRoom = MobileRulesLimits.mergedValues
}
