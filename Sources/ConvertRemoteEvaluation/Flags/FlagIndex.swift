import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// The meaning of a flag's key.
enum Flag: Sendable, Equatable {
    /// Whether the visitor has a feature.
    case feature(Int)
    /// The value of a feature's variable.
    case variable(feature: Int, key: String, isFloat: Bool)
    /// All variables of a feature, as an object.
    case variables(feature: Int)
    /// The variation of an experience.
    case experience(Int)
}

/// The flags of one config by their keys, computed once for each config. It does not keep the config alive.
struct FlagIndex: Sendable {
    /// The data of a feature that flags need.
    struct FeatureEntry: Sendable {
        let key: String
        /// Whether only archived experiences carry it.
        let isArchived: Bool
    }

    /// The data of an experience that flags need.
    struct ExperienceEntry: Sendable {
        let key: String?
        let id: String
        /// Whether one variation has all of the traffic.
        let hasSingleArm: Bool
        /// The facts about its variations, in config order.
        let facts: [FlagFacts]
    }

    let identity: ConfigIdentity
    /// The features by their index in the config; `nil` for a feature without a key.
    let features: [FeatureEntry?]
    /// The experiences by their index in the config.
    let experiences: [ExperienceEntry]
    /// All flags, in the order of bulk answers: features with their variables, then experiences.
    private(set) var all: [(key: String, flag: Flag)] = []
    private var flags: [PropertyKey: Flag] = [:]
    private var experiencesByID: [PropertyKey: Int] = [:]

    /// Indexes a config, in time linear to its features, variables and experiences.
    init(_ project: Project, _ identity: ConfigIdentity) {
        self.identity = identity
        let config = project.config
        features = config.features.indices.map { index in
            config.features[index].key.map {
                FeatureEntry(
                    key: $0, isArchived: project.isCarriedByArchivedExperiencesOnly(featureAt: index))
            }
        }
        experiences = config.experiences.indices.map { index in
            let experience = config.experiences[index]
            return ExperienceEntry(
                key: experience.key, id: experience.id.text,
                hasSingleArm: project.givesAllTrafficToOneArm(experienceAt: index),
                facts: experience.variations.compactMap { variation in
                    variation.id.map {
                        FlagFacts(
                            experienceID: experience.id.text, experienceKey: experience.key, variationID: $0.text,
                            revision: identity.revision)
                    }
                })
        }
        for index in experiences.indices.reversed() { experiencesByID[PropertyKey(experiences[index].id)] = index }
        // Keys in the config take precedence, so that a variable does not hide them.
        for (index, entry) in features.enumerated() { if let entry { claim(entry.key, for: .feature(index)) } }
        for (index, entry) in experiences.enumerated() {
            if let key = entry.key { claim(key, for: .experience(index)) }
        }
        for (index, feature) in config.features.enumerated() {
            guard let key = feature.key, self[key] == .feature(index) else { continue }
            all.append((key, .feature(index)))
            for variable in feature.variables {
                let isFloat = variable.type == "float"
                insert("\(key).\(variable.key)", .variable(feature: index, key: variable.key, isFloat: isFloat))
            }
            insert("\(key).*", .variables(feature: index))
        }
        for (index, entry) in experiences.enumerated() {
            if let key = entry.key, self[key] == .experience(index) { all.append((key, .experience(index))) }
        }
    }

    /// Assigns `key` to `flag`, unless the key is already assigned. Returns whether it was assigned.
    @discardableResult
    private mutating func claim(_ key: String, for flag: Flag) -> Bool {
        let name = PropertyKey(key)
        guard flags[name] == nil else { return false }
        flags[name] = flag
        return true
    }

    private mutating func insert(_ key: String, _ flag: Flag) {
        if claim(key, for: flag) { all.append((key, flag)) }
    }

    /// The flag for a key; `nil` if the config has no such flag.
    subscript(key: String) -> Flag? { flags[PropertyKey(key)] }

    /// The first experience with the id.
    func experience(id: String) -> Int? { experiencesByID[PropertyKey(id)] }

    /// The experience of a variation, which is at `place` if that is given.
    func experience(of variation: BucketedVariation, at place: Int? = nil) -> ExperienceEntry? {
        if let place, experiences[place].id == variation.experienceID { return experiences[place] }
        return experience(id: variation.experienceID).map { experiences[$0] }
    }

    /// Whether there are flags about features.
    var hasFeatures: Bool { features.contains { $0 != nil } }

    /// Identifies the config for clients: its revision, or else its number in this process.
    var tag: String { identity.tag }
}

extension ConfigIdentity {
    /// Identifies the config for clients.
    var tag: String { revision ?? "process-\(number)" }
}
