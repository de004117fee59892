/// The warnings about events that were reported since the rules were loaded: each once, up to a limit.
struct ReportedWarnings {
    private var reported: Set<MobileRulesWarning> = []

    /// The elements of `warnings` that are new. If the limit is reached, the last one says that no more will be
    /// reported.
    mutating func new(among warnings: [MobileRulesWarning]) -> [MobileRulesWarning] {
        var new: [MobileRulesWarning] = []
        for warning in warnings where reported.count < MobileRulesLimits.warnings && reported.insert(warning).inserted {
            new.append(warning)
            if reported.count == MobileRulesLimits.warnings {
                new.append(
                    MobileRulesWarning(
                        at: "warnings", "there are too many about events; the rest are in the results only."))
            }
        }
        return new
    }
}
