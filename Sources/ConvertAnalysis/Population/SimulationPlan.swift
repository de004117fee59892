internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What a simulation looks at in a config.
struct SimulationPlan: Sendable {
    /// An experience.
    struct Experience: Sendable {
        /// Place among the config's experiences.
        let index: Int
        let variationCount: Int
        /// Places of the attached audiences among the config's.
        let audiences: [Int]
    }

    /// An audience that asks whether visitors are in another experience.
    struct Exclusion: Sendable {
        /// Places among the plan's experiences.
        let experience: Int
        let other: Int
        /// What the other one's decision is stored under.
        let otherID: PropertyKey
        /// Place among the config's audiences.
        let audience: Int
        let keepsOut: Bool
    }

    /// The experiences of the config, those with the key of an earlier one left out.
    let experiences: [Experience]
    /// For each experience of the config its place among these; -1 if it has none.
    let places: [Int]
    let exclusions: [Exclusion]
    /// For each experience with exclusions the places of these among ``exclusions``, in order.
    let exclusionsByExperience: [(experience: Int, exclusions: Range<Int>)]
    /// The attributes that some rules read.
    let readAttributes: Set<PropertyKey>
    /// For each pair of experiences, the later one counted slowest, where its cells begin; as many as `pairedCount`
    /// allows.
    let pairStarts: [Int]
    let pairCellCount: Int
    /// How many experiences, from the first on, are looked at in pairs.
    let pairedCount: Int

    /// The most cells that pairs may have together; with two variations each, 1,000 experiences have twice as many.
    private static let cellLimit = 1_000_000

    init(_ config: ProjectConfig, semantics: RuleSemantics) {
        let wanted = ExperiencePlaces(config)
        let lookUps = wanted.indices.map { config.experiences[$0].entityKey.lookUp }
        let known = Dictionary(uniqueKeysWithValues: zip(lookUps, wanted.indices.indices))
        var audiencePlaces: [EntityID: Int] = [:]
        for (place, audience) in config.audiences.enumerated() where audiencePlaces[audience.id] == nil {
            audiencePlaces[audience.id] = place
        }
        let experiences = wanted.indices.map { index in
            let experience = config.experiences[index]
            return Experience(
                index: index, variationCount: experience.variations.count,
                audiences: experience.audiences.compactMap { audiencePlaces[$0] })
        }
        places = wanted.places
        self.experiences = experiences
        var exclusions: [Exclusion] = []
        var exclusionsByExperience: [(experience: Int, exclusions: Range<Int>)] = []
        for place in experiences.indices {
            let start = exclusions.count
            for audience in experiences[place].audiences {
                guard let question = config.audiences[audience].rules?.bucketingQuestion,
                    let other = known[question.experienceKey]
                else { continue }
                exclusions.append(
                    Exclusion(
                        experience: place, other: other, otherID: config.experiences[experiences[other].index].id.key,
                        audience: audience, keepsOut: question.keepsOut))
            }
            if exclusions.count > start { exclusionsByExperience.append((place, start..<exclusions.count)) }
        }
        self.exclusions = exclusions
        self.exclusionsByExperience = exclusionsByExperience
        readAttributes = config.readAttributes(under: semantics)
        var starts: [Int] = []
        var cells = 0
        var paired = 0
        for second in experiences.indices {
            // A pair without cells takes a place among the starts.
            let added = experiences[..<second].map { max(1, $0.variationCount * experiences[second].variationCount) }
            guard cells + added.reduce(0, +) <= Self.cellLimit else { break }
            paired = second + 1
            for count in added {
                starts.append(cells)
                cells += count
            }
        }
        pairStarts = starts
        pairCellCount = cells
        pairedCount = paired
    }

    /// Where the cells of a pair begin.
    func cells(first: Int, second: Int) -> Int { pairStarts[Self.pair(first, second)] }

    /// The number of a pair.
    static func pair(_ first: Int, _ second: Int) -> Int { second * (second - 1) / 2 + first }

    /// `config` with experiences that do not ask for others: as if each audience that does so matched.
    func withoutExclusions(_ config: ProjectConfig) -> ProjectConfig {
        var experiences = config.experiences
        for (place, range) in exclusionsByExperience {
            let index = self.experiences[place].index
            let experience = experiences[index]
            let asking = Set(exclusions[range].map { config.audiences[$0.audience].id })
            // If any audience is enough, the one that matches opens the gate to all.
            let rest = experience.audienceMatching == .all ? experience.audiences.filter { !asking.contains($0) } : []
            experiences[index] = experience.with(
                audiences: rest, locations: experience.locations, variations: experience.variations)
        }
        return config.with(experiences: experiences)
    }
}
