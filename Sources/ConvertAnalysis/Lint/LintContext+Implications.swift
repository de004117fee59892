/// Checks for groups that only let in visitors whom earlier groups let in, too.
extension LintContext {
    mutating func checkImplications(
        _ groups: [Formula], _ satisfiable: [Int], _ rules: RuleSet, _ open: inout OpenQuestion
    ) {
        let alternatives = GroupCoverage(groups, search, pool)
        for index in satisfiable where index > 0 {
            let path = rules.path(index)
            let other: String
            switch pool.budget.spending(from: &implicationWork, { alternatives.coverage(of: index) }) {
            case .none: continue
            case .undecided:
                open.add(
                    reason(
                        of: [rules.groups[index]] + rules.groups[..<index], isExhausted: implicationWork <= 0),
                    at: path)
                continue
            case .one(let place): other = rules.path(place)
            case .several: other = "at least one of the groups before it"
            }
            var example: VisitorSearch.Model?
            if case .found(let model) = search.run([groups[index]]) { example = model }
            add(
                .groupImplied, at: path,
                "The group adds no visitor: every visitor who meets it already meets \(other).",
                remedy: "Remove the group, or widen it.", witness: example.map(witness))
        }
    }
}
