internal import ConvertECMAScript

extension Project {
    /// Whether a decision in one experience can change a later decision in another experience: an audience depends on a
    /// stored decision, or two experiences share an id and therefore their stored decision.
    package var hasDependentDecisions: Bool {
        let hasExclusion = ruleSets.audiences.elements.contains { audience in
            if case .bucketedInto = audience.test { true } else { false }
        }
        return hasExclusion || Set(config.experiences.map(\.id.key)).count < config.experiences.count
    }
}
