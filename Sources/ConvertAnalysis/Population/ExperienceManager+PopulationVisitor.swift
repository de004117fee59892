internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ExperienceManager {
    /// The visitor as decisions take one.
    func visitor(_ person: PopulationVisitor) -> Visitor {
        visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
    }
}

extension PopulationVisitor {
    /// `base` with where the visitor is.
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
        // What one decision stores the next ones see, which takes time, so only where it can make a difference.
        isStorageEnabled = project.hasDependentDecisions
    }
}
