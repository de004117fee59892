internal import ConvertECMAScript

extension ExperienceManager {
    /// Whether the audience at `index` of the config depends on visitors' properties rather than on stored decisions.
    package func asksForRules(_ index: Int) -> Bool {
        if case .bucketedInto = project.ruleSets.audiences[index].test { false } else { true }
    }

    /// Whether a visitor is in the audience at `index` of the config, by the properties that decisions use; `nil` if
    /// the audience depends on stored decisions.
    package func isMember(ofAudience index: Int, _ visitor: inout Visitor) -> Bool? {
        visitor.adopt(project)
        switch project.ruleSets.audiences[index].test {
        case .never: return false
        case .bucketedInto: return nil
        case .rules:
            let options = DecisionOptions()
            return withCall(options, for: &visitor, identifiesByID: false, SilentObserver()) { call in
                verdict(ofAudience: index, options, &call).isMatch
            }.value
        }
    }
}
