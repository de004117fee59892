/// Which warnings about events the observer has been told of since the rules came: each once, and only so many.
struct ToldWarnings {
    private var told: Set<MobileRulesWarning> = []

    /// Those of `warnings` that are new, the last one followed by a word if no more will be told.
    mutating func new(among warnings: [MobileRulesWarning]) -> [MobileRulesWarning] {
        var new: [MobileRulesWarning] = []
        for warning in warnings where told.count < MobileRulesLimits.warnings && told.insert(warning).inserted {
            new.append(warning)
            if told.count == MobileRulesLimits.warnings {
                new.append(
                    MobileRulesWarning(
                        at: "warnings", "there are too many about events; the rest are in the results only."))
            }
        }
        return new
    }
}
