internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ExperienceManager {
    /// The visitor in the form that decisions use.
    func visitor(_ person: PopulationVisitor) -> Visitor {
        visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
    }
}

extension PopulationVisitor {
    /// `base` with the visitor's location properties.
    func options(from base: DecisionOptions = DecisionOptions()) -> DecisionOptions {
        var options = base
        options.locationProperties = locationProperties
        return options
    }
}

extension DecisionOptions {
    /// The options of decisions for many visitors, which are not tracked.
    init(forPopulationOf project: Project) {
        self.init()
        isTrackingEnabled = false
        // Storing a decision for the next ones takes time, so it is on only if some experience depends on another.
        isStorageEnabled = project.config.hasDependentDecisions
    }
}

extension ProjectConfig {
    /// Whether a decision in one experience can change a later decision in another experience: an audience depends on a
    /// stored decision, or two experiences share an id and therefore their stored decision.
    var hasDependentDecisions: Bool {
        audiences.contains { $0.rules?.exclusion != nil } || Set(experiences.map(\.id.key)).count < experiences.count
    }
}
