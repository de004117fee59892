internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension EntryFormulas {
    /// The maximum number of experiences in a ring of questions.
    private static let mostOfRing = 64

    /// The ids of the experiences that some visitor enters in some call. Only `experience` and the experiences that it
    /// depends on are examined.
    ///
    /// The result is `nil` if no examined experience depends on a later one, or if there are too many.
    ///
    /// A visitor of a later experience may return. Experiences that depend on each other's visitors can never be
    /// entered.
    func enteredOnes(neededBy experience: ProjectConfig.Experience, _ search: VisitorSearch) -> Set<PropertyKey>? {
        let all = graph.decided(for: experience, isFirstOfTwo: true, limit: Self.mostOfRing)
        guard all.count <= Self.mostOfRing else { return nil }
        let isWaiting = all.contains { graph.questions(of: $0).contains { $0.letsIn && !$0.isDecidedBefore } }
        guard isWaiting else { return nil }
        var entered: Set<PropertyKey> = []
        var open = all
        while true {
            let found = open.filter { other in
                let entry = entry(of: other, stored: .whereNeeded)
                return !entry.isExact || !search.isImpossible([entry.formula.withStoredDecisions(of: entered)])
            }
            if found.isEmpty { return entered }
            entered.formUnion(found.map(\.id.key))
            open.removeAll { entered.contains($0.id.key) }
        }
    }
}

extension Formula {
    /// The formula for visitors whose only stored decisions are for experiences with these ids.
    fileprivate func withStoredDecisions(of ids: Set<PropertyKey>) -> Formula {
        switch self {
        case .all(let parts): .every(parts.map { $0.withStoredDecisions(of: ids) })
        case .any(let parts): .some(parts.map { $0.withStoredDecisions(of: ids) })
        case .literal(let literal):
            if case .storedDecision(let id) = literal.proposition, !ids.contains(PropertyKey(id)) {
                Formula(!literal.isWanted)
            } else {
                self
            }
        }
    }
}
