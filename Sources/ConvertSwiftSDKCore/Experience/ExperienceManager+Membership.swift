internal import ConvertECMAScript

extension ExperienceManager {
    /// Whether the audience at `index` of the config asks for properties of visitors, rather than for stored decisions.
    package func asksForRules(_ index: Int) -> Bool {
        if case .bucketedInto = project.audiences[index].test { false } else { true }
    }

    /// Whether a visitor is in the audience at `index` of the config, by the properties that decisions go by; `nil` if it asks
    /// for stored decisions.
    package func isMember(ofAudience index: Int, _ visitor: inout Visitor) -> Bool? {
        visitor.adopt(project)
        switch project.audiences[index].test {
        case .never: return false
        case .bucketedInto: return nil
        case .rules:
            var call = call(DecisionOptions(), for: &visitor, identifiesByID: false)
            return verdict(ofAudience: index, &visitor, &call, SilentObserver()).isMatch
        }
    }
}
