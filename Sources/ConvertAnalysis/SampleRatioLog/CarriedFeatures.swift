internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Which features the variations of a config carry, so that a logged answer about features tells the variation.
///
/// It does if each variation that takes traffic carries one of the features that were asked for, each with variables of
/// its own. If visitors of one variation did not show, those of the others would be too many.
struct CarriedFeatures: Sendable {
    /// A variation that an answer tells; the variation is `nil` if the answer may be that of several.
    typealias Told = (allocation: LogAllocations.Allocation, arm: Int?)

    /// By feature the entries of a log.
    private typealias Entries = [PropertyKey: [String]]

    private struct Experience {
        let allocation: LogAllocations.Allocation
        var arms: [(number: Int, features: Entries)] = []
    }

    private var experiences: [PropertyKey: Experience] = [:]

    /// The features of a config, whose allocations are given by the keys of experiences.
    init(_ project: Project, _ allocations: [PropertyKey: LogAllocations.Allocation], castsTypes: Bool) {
        let manager = FeatureManager(experiences: ExperienceManager(project: project))
        for (key, allocation) in allocations {
            guard let place = project.experience(key: key) else { continue }
            var experience = Experience(allocation: allocation)
            var known: Set<PropertyKey> = []
            for (index, variation) in project.config.experiences[place].variations.enumerated() {
                guard let id = variation.id, known.insert(id.key).inserted,
                    let number = allocation.arms[PropertyKey(variation.key ?? id.text)]
                else { continue }
                let carried = manager.features(carriedBy: index, of: place, castsTypes: castsTypes).logged
                experience.arms.append((number, Self.entries(of: carried)[key] ?? [:]))
            }
            experiences[key] = experience
        }
    }

    /// What an answer tells of each experience that it names.
    func variations(in features: JSObject) -> [Told] {
        Self.entries(of: features).compactMap { key, logged in
            guard let experience = experiences[key] else { return nil }
            let arms = experience.arms.map { arm in
                (number: arm.number, features: arm.features.filter { features[$0.key] != nil })
            }
            let shared = arms.filter { experience.allocation.takesTraffic($0.number) }.map(\.features)
            let found = arms.filter { $0.features == logged }
            let isUnique = Set(shared).count == shared.count && !shared.contains([:]) && found.count == 1
            return (experience.allocation, isUnique ? found[0].number : nil)
        }
        .sorted { $0.allocation.experience < $1.allocation.experience }
    }

    /// What a log has of features, by the keys of experiences.
    private static func entries(of features: JSObject) -> [PropertyKey: Entries] {
        var entries: [PropertyKey: Entries] = [:]
        for feature in features {
            for entry in feature.value.arrayValue ?? [] {
                guard let object = entry.objectValue, let key = object["experience"]?.stringValue else { continue }
                let text = ECMAScript.jsonText(of: object["variables"] ?? .null)
                entries[PropertyKey(key), default: [:]][feature.key, default: []].append(text)
            }
        }
        return entries
    }
}
