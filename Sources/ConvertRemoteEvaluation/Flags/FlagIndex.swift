import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// The meaning of a flag's key.
enum Flag: Sendable, Equatable {
    /// Whether the visitor has a feature.
    case feature(FlagIndex.FeatureEntry)
    /// The value of a feature's variable.
    case variable(of: FlagIndex.FeatureEntry, key: String, isFloat: Bool)
    /// All variables of a feature, as an object.
    case variables(of: FlagIndex.FeatureEntry)
    /// The variation of the experience at an index in the config.
    case experience(Int)
}

/// The flags of one config by their keys, computed once for each config. It does not keep the config alive.
struct FlagIndex: Sendable {
    /// The data of a feature that flags need.
    struct FeatureEntry: Sendable, Equatable {
        let key: String
        /// The feature's index in the config.
        let place: Int
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
    /// The experiences by their index in the config.
    let experiences: [ExperienceEntry]
    /// All flags, in the order of bulk answers: features with their variables, then experiences.
    private(set) var all: [(key: String, flag: Flag)] = []
    /// Whether there are flags about features.
    let hasFeatures: Bool
    private var flags: [PropertyKey: Flag] = [:]
    private var experiencesByID: [PropertyKey: Int] = [:]

    /// Indexes a config, in time linear to its features, variables and experiences.
    init(_ project: Project, _ identity: ConfigIdentity) {
        self.identity = identity
        let config = project.config
        let features = config.features.enumerated().compactMap { index, feature in
            feature.key.map {
                FeatureEntry(
                    key: $0, place: index, isArchived: project.isCarriedByArchivedExperiencesOnly(featureAt: index))
            }
        }
        hasFeatures = !features.isEmpty
        experiences = config.experiences.indices.map { index in
            let experience = config.experiences[index]
            return ExperienceEntry(
                key: experience.key, id: experience.id.text,
                hasSingleArm: experience.givesAllTrafficToOneArm(project.options.bucketing),
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
        for entry in features { claim(entry.key, for: .feature(entry)) }
        for (index, entry) in experiences.enumerated() {
            if let key = entry.key { claim(key, for: .experience(index)) }
        }
        for entry in features where self[entry.key] == .feature(entry) {
            all.append((entry.key, .feature(entry)))
            for variable in config.features[entry.place].variables {
                let isFloat = variable.type == "float"
                insert("\(entry.key).\(variable.key)", .variable(of: entry, key: variable.key, isFloat: isFloat))
            }
            insert("\(entry.key).*", .variables(of: entry))
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

    /// Identifies the config for clients: its revision, or else its number in this process.
    var tag: String { identity.tag }
}

extension ConfigIdentity {
    /// Numbers count from the start of a process, so they mean something else in another one.
    private static let process = String(UInt64.random(in: .min ... .max), radix: 36)

    /// Identifies the config for clients.
    var tag: String { revision ?? "\(Self.process)-\(number)" }
}

extension ProjectConfig.Experience {
    /// Whether the layout maps every bucket value to the same variation.
    fileprivate func givesAllTrafficToOneArm(_ options: BucketingOptions) -> Bool {
        let ranges = BucketLayout(variations: variations, version: version).ranges.filter { $0.end > $0.start }
        guard ranges.count == 1, let arm = ranges.first else { return false }
        return arm.start <= 0 && arm.end >= options.maxTraffic
    }
}
