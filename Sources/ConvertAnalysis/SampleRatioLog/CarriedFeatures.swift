internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The features that the variations of a config carry, for finding the variation behind a logged answer about features.
///
/// The answer identifies the variation if each variation with traffic carries one of the requested features, and no two
/// with the same variables. If the visitors of one variation could not be seen, the others would seem to have too many.
struct CarriedFeatures: Sendable {
    /// A variation identified by an answer; `arm` is `nil` if the answer may come from several variations.
    typealias Told = (allocation: LogAllocations.Allocation, arm: Int?)

    /// The entries of a log, by feature.
    private typealias Entries = [PropertyKey: [String]]

    private struct Experience {
        let allocation: LogAllocations.Allocation
        var arms: [(number: Int, features: Entries)] = []
    }

    private var experiences: [PropertyKey: Experience] = [:]

    /// Creates the features of a config, whose allocations are passed by the keys of experiences.
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

    /// The variations that an answer identifies, one for each experience in it.
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

    /// The entries of features in a log, by the keys of experiences.
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
