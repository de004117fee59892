internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Generates visitors for a simulation. The same config, seed and specification always give the same visitors.
///
/// Half of the visitors get properties that some group of an audience's rules requires, and half get properties that
/// some location requires. Their other properties are values from rules, other values, or missing.
struct PopulationGenerator: Sendable {
    private let seed: UInt64
    private let attributes: RuleWitnesses
    private let location: RuleWitnesses
    private let specification: AttributeSpecification

    init(for project: Project, seed: UInt64, specification: AttributeSpecification) {
        self.seed = seed
        self.specification = specification
        let config = project.config
        let semantics = project.options.semantics
        attributes = RuleWitnesses(
            of: (config.audiences.map(\.rules) + config.segments.map(\.rules)).compactMap(\.self), semantics: semantics)
        location = RuleWitnesses(
            of: (config.locations.map(\.rules) + config.experiences.map(\.siteArea)).compactMap(\.self),
            semantics: semantics)
    }

    /// The visitor with this index, and the same visitor without values from rules.
    func visitor(_ index: Int) -> (visitor: PopulationVisitor, withoutRuleValues: PopulationVisitor) {
        var random = SplitMix64(seed: seed, index: index)
        var properties = Self.properties(attributes, &random)
        var specified: JSObject = [:]
        for (key, value) in specification.values(&random) {
            properties[key] = value
            specified[key] = value
        }
        let id = "simulated-\(seed)-\(index)"
        return (
            PopulationVisitor(
                visitorID: id, attributes: properties, locationProperties: Self.properties(location, &random)),
            PopulationVisitor(visitorID: id, attributes: specified, locationProperties: [:])
        )
    }

    private static func properties(_ witnesses: RuleWitnesses, _ random: inout SplitMix64) -> JSObject {
        var properties: JSObject = [:]
        for (key, values) in witnesses.values {
            switch random.below(10) {
            case 0...1: break
            case 2...7: properties[key] = random.pick(values)
            case 8: properties[key] = .string("other-\(random.below(1000))")
            default: properties[key] = .integer(random.below(1000))
            }
        }
        if random.happens(50), let group = random.pick(witnesses.groups), let witness = random.pick(group) {
            for member in witness { properties[member.key] = member.value }
        }
        return properties
    }
}
