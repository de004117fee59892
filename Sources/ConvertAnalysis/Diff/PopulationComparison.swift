internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Counts what a population's visitors get from two configs.
struct PopulationComparison {
    private struct Route: Hashable {
        let from: PropertyKey?
        let to: PropertyKey?
    }

    private let old: ExperienceManager
    private let new: ExperienceManager
    private var visitorCount = 0
    /// By the experience's key in the new config, or else in the old one.
    private var routes: [PropertyKey: [Route: Int]] = [:]
    /// The new keys of experiences that were renamed.
    private let newKeys: [PropertyKey: PropertyKey]

    init(old: ProjectConfig, new: ProjectConfig, semantics: RuleSemantics, environment: String) {
        let options = CompilationOptions(semantics: semantics)
        self.old = ExperienceManager(project: Project(old, options: options), environment: environment)
        self.new = ExperienceManager(project: Project(new, options: options), environment: environment)
        let keys = Dictionary(
            new.experiences.map { ($0.id.key, $0.entityKey.lookUp) }, uniquingKeysWith: { first, _ in first })
        newKeys = Dictionary(
            old.experiences.compactMap { experience in keys[experience.id.key].map { (experience.entityKey.lookUp, $0) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Decides all experiences of both configs for a visitor.
    mutating func add(_ person: PopulationVisitor) {
        visitorCount += 1
        var before: [PropertyKey: PropertyKey] = [:]
        for (key, answer) in answers(of: old, for: person) { before[newKeys[key] ?? key] = answer }
        let after = answers(of: new, for: person)
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
            routes[key, default: [:]][Route(from: before[key], to: after[key]), default: 0] += 1
        }
    }

    private func answers(of manager: ExperienceManager, for person: PopulationVisitor) -> [PropertyKey: PropertyKey] {
        var visitor = manager.visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
        var options = DecisionOptions()
        options.locationProperties = person.locationProperties
        var answers: [PropertyKey: PropertyKey] = [:]
        for decision in manager.selectVariations(for: &visitor, options: options).value {
            guard let variation = decision.variation else { continue }
            answers[PropertyKey(variation.experienceKey)] = PropertyKey(variation.variationKey ?? variation.variationID)
        }
        return answers
    }

    /// Says in `difference` what was counted.
    func report(in difference: inout ConfigDifference) {
        difference.visitorCount = visitorCount
        for index in difference.experiences.indices {
            let counts = routes[PropertyKey(difference.experiences[index].key)] ?? [:]
            let moves = counts.map { route, count in
                ConfigDifference.Population.Move(from: route.from?.name, to: route.to?.name, count: count)
            }.sorted { ($1.count, $0.from ?? "", $0.to ?? "") < ($0.count, $1.from ?? "", $1.to ?? "") }
            difference.experiences[index].population = ConfigDifference.Population(
                moved: counts.values.reduce(0, +), moves: moves)
        }
    }
}
