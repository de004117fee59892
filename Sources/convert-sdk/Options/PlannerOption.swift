import ConvertAnalysis

/// The options for planning an experiment: the conversion rate, the effect to detect, and the number of visitors.
enum PlannerOption {
    private static let baseline = OptionDeclaration(
        "--baseline", nil, .text("RATE"),
        "plan: the conversion rate of the control, such as 4% or 0.04; tells which effects can be found, and when")
    private static let perDay = OptionDeclaration(
        "--per-day", nil, .text("N"),
        "with --baseline: how many new visitors come a day, eligible or not, as in the population")
    private static let power = OptionDeclaration(
        "--power", nil, .text("SHARE"), "with --baseline: how surely an effect is found (default: 80%)")
    private static let effect = OptionDeclaration(
        "--effect", nil, .text("RATIO"),
        "with --baseline: the relative effect that 'days' is computed for: 10% is from 4% to 4.4% (default: 10%)")
    private static let days = OptionDeclaration(
        "--days", nil, .text("N"), "with --baseline: for how many days the detectable effect is computed (default: 14)")
    private static let significance = OptionDeclaration(
        "--significance", nil, .text("SHARE"),
        "with --baseline: how often an effect is found by mistake, in a two-sided test (default: 5%)")

    static let declarations = [baseline, perDay, power, effect, days, significance]

    /// The plan from the options; `nil` if no option asks for a plan.
    static func plan(_ arguments: Arguments) throws(UsageError) -> ExperimentPlan? {
        guard let rate = try arguments.share(baseline) else {
            for option in declarations where arguments[option] != nil {
                throw UsageError("\(option.name) goes with \(baseline.name)")
            }
            return nil
        }
        guard let perDay = try arguments.count(perDay, in: 1...1_000_000_000_000) else {
            throw UsageError("\(Self.perDay.name) is missing: \(Self.perDay.meaning)")
        }
        let (power, significance) = (try arguments.share(power) ?? 0.8, try arguments.share(significance) ?? 0.05)
        guard let test = ConversionTest(baseline: rate, power: power, significance: significance) else {
            throw UsageError("\(Self.power.name) must be above \(Self.significance.name)")
        }
        var plan = ExperimentPlan(test, visitorsPerDay: Double(perDay))
        if let text = arguments[effect] {
            guard let ratio = Arguments.ratio(text) else {
                throw UsageError("\(effect.name): '\(text)' is not a ratio; write 10% or 0.1")
            }
            plan.effect = ratio
        }
        if let count = try arguments.count(days, in: 1...10_000) { plan.length = Double(count) }
        return plan
    }
}
