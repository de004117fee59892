internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension EntryFormulas {
    /// How many experiences that ask about one another are looked at for a ring.
    private static let mostOfRing = 64

    /// The ids of the experiences that some visitor enters at some call, of `experience` and those that it depends on;
    /// `nil` if none of them waits for a later one, or there are too many.
    ///
    /// A visitor of a later experience comes again. Experiences that wait for each other's visitors wait forever.
    func enteredOnes(neededBy experience: ProjectConfig.Experience, _ search: VisitorSearch) -> Set<PropertyKey>? {
        let all = decided(for: experience, isFirstOfTwo: true, limit: Self.mostOfRing)
        guard all.count <= Self.mostOfRing else { return nil }
        let isWaiting = all.contains { questions(of: $0).contains { !$0.keepsOut && !$0.isDecidedBefore } }
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
    /// The formula for visitors who have no stored decisions but those of experiences with these ids.
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
