internal import ConvertECMAScript

/// The matching rules of one event that wait for the interceptor.
struct HeldRules: Sendable {
    /// Indexes of the rules that wait, ascending.
    let indexes: [Int]
    /// The rules that ask for the interceptor.
    let askingRules: [MobileRule]
    /// The ids of all consequences of the rules that do not wait. A rule with one of them does not run again.
    let finishedIDs: Set<PropertyKey>

    /// Picks the rules that wait; `nil` if no rule asks for the interceptor.
    ///
    /// If one rule with a `schema` consequence asks, all matching rules with a `schema` consequence wait. So does every
    /// rule that shares a consequence id with one of them: if it ran at once, its id would keep the other from running
    /// later.
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
    /// Whether the id of one of the consequences is among `ids`.
    func hasConsequence(of ids: Set<PropertyKey>) -> Bool { consequenceIDs.contains { ids.contains($0) } }

    fileprivate var consequenceIDs: [PropertyKey] { consequences.map { PropertyKey($0.id) } }
}
