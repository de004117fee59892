internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The features that the variations of a config carry, for finding the variation behind a logged answer about features.
///
/// The answer identifies the variation if each variation with traffic carries one of the requested features, and no two
/// with the same variables. If the visitors of one variation could not be seen, the others would seem to have too many.
struct CarriedFeatures: Sendable {
    /// The kind of a decision, with its variation if the answer identifies it.
    typealias Decision = (outcome: LogRatioPart.Outcome, arm: LogAllocations.Arm?)

    /// An arm with the features that it carries.
    private typealias Carrier = (arm: LogAllocations.Arm, features: Entries)

    /// The statement of an answer about an experience.
    struct Told: Sendable {
        let allocation: LogAllocations.Allocation
        /// The decision for a visitor without a stored variation.
        let dealt: Decision
        /// The decision for a visitor with a stored variation; `nil` if the answer does not show it.
        let stored: Decision?
    }

    /// The entries of a log, by feature.
    private typealias Entries = [PropertyKey: [String]]

    private struct Experience {
        let allocation: LogAllocations.Allocation
        var arms: [Carrier] = []
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
                    let arm = allocation.arms[PropertyKey(variation.key ?? id.text)]
                else { continue }
                let carried = manager.features(carriedBy: index, of: place, castsTypes: castsTypes).logged
                experience.arms.append((arm, Self.entries(of: carried)[key] ?? [:]))
            }
            experiences[key] = experience
        }
    }

    /// The decisions behind an answer, one for each experience that carries a requested feature.
    func decisions(in features: JSObject) -> [Told] {
        let answers = Self.entries(of: features)
        return experiences.compactMap { (key, experience) -> Told? in
            let allocation = experience.allocation
            let arms = experience.arms.map { arm in
                (arm: arm.arm, features: arm.features.filter { features[$0.key] != nil })
            }
            guard let logged = answers[key] else {
                let isAsked = arms.contains { !$0.features.isEmpty }
                return isAsked ? Told(allocation: allocation, dealt: (.none, nil), stored: nil) : nil
            }
            let running = arms.filter(\.arm.takesTraffic)
            let shared = running.map(\.features)
            let isUnique = Set(shared).count == shared.count && !shared.contains([:])
            let found = arms.filter { $0.features == logged }
            // Only a stored decision gives a variation without traffic.
            let dealt = running.filter { $0.features == logged }
            func decision(_ outcome: LogRatioPart.Outcome, _ found: [Carrier]) -> Decision {
                isUnique && found.count == 1 ? (outcome, found[0].arm) : (.untold, nil)
            }
            return Told(
                allocation: allocation, dealt: decision(.dealt, dealt.isEmpty ? found : dealt),
                stored: decision(.stored, found))
        }
        .sorted { $0.allocation.reference.experience < $1.allocation.reference.experience }
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
