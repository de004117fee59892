/// The remaining budget of an event and the events that its consequences dispatch.
struct EventBudget {
    /// The cost left for comparisons with long texts; see ``MobileRulesLimits/comparedLength``.
    var comparisonRoom = MobileRulesLimits.comparedLength
    /// The bytes left for replacing tokens; negative, and final, after the limit was exceeded.
    var expansionRoom = MobileRulesLimits.expandedLength
    /// The values that merges may still visit or create; negative, and final, after the limit was exceeded.
    var mergeRoom = MobileRulesLimits.mergedValues
}
