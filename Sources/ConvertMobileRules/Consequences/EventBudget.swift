/// The remaining budget of an event and the events that its consequences dispatch.
struct EventBudget {
    /// The cost that is left for comparisons with long texts; see ``MobileRulesLimits/comparedLength``.
    var comparisonRoom = MobileRulesLimits.comparedLength
    /// The bytes that are left for replacing tokens. After the limit was exceeded, the number stays negative.
    var expansionRoom = MobileRulesLimits.expandedLength
    /// The values that merges may still visit or create. After the limit was exceeded, the number stays negative.
    var mergeRoom = MobileRulesLimits.mergedValues
}
