/// Which warnings about events were reported to the observer since the rules came: each once, and only so many.
struct ReportedWarnings {
    private var reported: Set<MobileRulesWarning> = []

    /// Those of `warnings` that are new, the last one followed by one that says so if no more will be reported.
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
