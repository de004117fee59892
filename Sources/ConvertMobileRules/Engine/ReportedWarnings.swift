/// The warnings about events that were reported since the rules were loaded: each once, up to a limit.
struct ReportedWarnings {
    private var reported: Set<MobileRulesWarning> = []

    /// The elements of `warnings` that are new. If they reach the limit, a last warning says that further warnings will
    /// not be reported.
    mutating func new(among warnings: [MobileRulesWarning]) -> [MobileRulesWarning] {
        var new: [MobileRulesWarning] = []
        for warning in warnings where reported.count < MobileRulesLimits.warnings && reported.insert(warning).inserted {
            new.append(warning)
            if reported.count == MobileRulesLimits.warnings {
                new.append(
                    MobileRulesWarning(
                        at: "warnings", "too many event warnings; further ones appear only in the results."))
            }
        }
        return new
    }
}
