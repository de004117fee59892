import ConvertSwiftSDKCore

/// W3 and its growth series: the evaluation of a compiled rule set on resolved attributes.
enum EvaluateRules {
    static let workloads = [
        workload("W3", file: "w3.json", operations: 100_000, goal: 600),
        workload("G3-10", file: "g3-10.json", operations: 1_000_000),
        workload("G3-100", file: "g3-100.json", operations: 100_000),
        workload("G3-1000", file: "g3-1000.json", operations: 10_000),
    ]

    private static func workload(_ id: String, file: String, operations: Int, goal: Double? = nil) -> Workload {
        Workload(
            id: id, summary: "evaluate a compiled rule set", goal: goal, expected: "\(operations) matched",
            runner: .timed(operations: operations) { inputs in
                let input = try inputs.ruleCase(file)
                let rules = SingleRuleSet(RuleAdapter().flatten(input.ruleSet))
                let attributes = rules.resolve(input.data)
                return {
                    var attributes = attributes.copy()
                    var matched = 0
                    for _ in 0..<operations {
                        // Each operation compares again; the attributes stay resolved.
                        attributes.forgetAnswers()
                        if rules.verdict(on: &attributes).isMatch { matched += 1 }
                    }
                    return "\(matched) matched"
                }
            })
    }
}
