internal import ConvertECMAScript

/// The matching rules of one event that wait for the interceptor.
struct HeldRules: Sendable {
    /// Indexes of the waiting rules, ascending.
    let indexes: [Int]
    /// The rules that request the interceptor.
    let askingRules: [MobileRule]
    /// The ids of all consequences of the rules that do not wait. A waiting rule with one of these ids will not run.
    let finishedIDs: Set<PropertyKey>

    /// Selects the rules that wait; `nil` if no rule requests the interceptor.
    ///
    /// If a rule with a `schema` consequence requests the interceptor, all matching rules with a `schema` consequence
    /// wait. Rules that share a consequence id with such a rule wait too. If they ran immediately, the shared id would
    /// prevent that rule from running later.
    init?(among matched: [(index: Int, rule: MobileRule)]) {
        let schemaRules = matched.map(\.rule).filter { $0.consequences.contains { $0.type == "schema" } }
        askingRules = schemaRules.filter { $0.meta?["reEvaluate"]?.boolValue == true }
        if askingRules.isEmpty { return nil }
        let heldIDs = Set(schemaRules.flatMap(\.consequenceIDs))
        indexes = matched.filter { $0.rule.hasConsequence(of: heldIDs) }.map(\.index)
        finishedIDs = Set(matched.map(\.rule).filter { !$0.hasConsequence(of: heldIDs) }.flatMap(\.consequenceIDs))
    }
}

extension MobileRule {
    /// Whether the id of any consequence is in `ids`.
    func hasConsequence(of ids: Set<PropertyKey>) -> Bool { consequenceIDs.contains { ids.contains($0) } }

    fileprivate var consequenceIDs: [PropertyKey] { consequences.map { PropertyKey($0.id) } }
}
