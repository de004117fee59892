internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The parts of a config that a simulation counts.
struct SimulationPlan: Sendable {
    /// A counted experience.
    struct Experience: Sendable {
        /// The index in the config's experiences.
        let index: Int
        let variationCount: Int
        /// The indices of the attached audiences in the config's audiences.
        let audiences: [Int]
    }

    /// An audience that asks whether visitors are in another experience.
    struct Exclusion: Sendable {
        /// The index of the experience in the plan.
        let experience: Int
        let other: Int
        /// The id under which the other experience's decision is stored.
        let otherID: PropertyKey
        /// The index in the config's audiences.
        let audience: Int
        let keepsOut: Bool
    }

    /// The experiences of the config. An experience that repeats an earlier one's key is left out.
    let experiences: [Experience]
    /// For each experience of the config, its index in the plan; -1 if it has none.
    let places: [Int]
    let exclusions: [Exclusion]
    /// For each experience with exclusions, the indices of its exclusions in ``exclusions``, in order.
    let exclusionsByExperience: [(experience: Int, exclusions: Range<Int>)]
    /// The attributes that rules read.
    let readAttributes: Set<PropertyKey>
    /// The start of each pair's cells, with the later experience varying slowest, for the pairs among the first
    /// `pairedCount` experiences.
    let pairStarts: [Int]
    let pairCellCount: Int
    /// The number of experiences, counted from the first, whose pairs are counted.
    let pairedCount: Int

    /// The maximum number of cells of all pairs. 1,000 experiences with two variations each would have twice as many.
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
            // A pair without cells also takes a place among the starts.
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

    /// The index of a pair's first cell.
    func cells(first: Int, second: Int) -> Int { pairStarts[Self.pair(first, second)] }

    /// The number of a pair.
    static func pair(_ first: Int, _ second: Int) -> Int { second * (second - 1) / 2 + first }

    /// Returns `config` as if every audience that asks for other experiences matched.
    func withoutExclusions(_ config: ProjectConfig) -> ProjectConfig {
        var config = config
        for (place, range) in exclusionsByExperience {
            let index = self.experiences[place].index
            let experience = config.experiences[index]
            let asking = Set(exclusions[range].map { config.audiences[$0.audience].id })
            // If any audience suffices, one that always matches lets every visitor in.
            let rest = experience.audienceMatching == .all ? experience.audiences.filter { !asking.contains($0) } : []
            config.experiences[index].audiences = rest
        }
        return config
    }
}
