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
        /// Place among the config's audiences.
        let audience: Int
        let keepsOut: Bool
    }

    /// The experiences of the config, those with the key of an earlier one left out.
    let experiences: [Experience]
    /// For each experience of the config its place among these; -1 if it has none.
    let places: [Int]
    let exclusions: [Exclusion]
    /// For each pair of experiences, the later one counted slowest, where its cells begin; as many as `pairedCount` allows.
    let pairStarts: [Int]
    let pairCellCount: Int
    /// How many experiences, from the first on, are looked at in pairs.
    let pairedCount: Int

    /// The most cells that pairs may have together; with two variations each, 1,000 experiences have twice as many.
    private static let cellLimit = 1_000_000

    init(_ config: ProjectConfig) {
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
        exclusions = experiences.indices.flatMap { place in
            experiences[place].audiences.compactMap { audience in
                guard let question = config.audiences[audience].rules?.bucketingQuestion,
                    let other = known[question.experienceKey]
                else { return nil }
                return Exclusion(experience: place, other: other, audience: audience, keepsOut: question.keepsOut)
            }
        }
        var starts: [Int] = []
        var cells = 0
        var paired = 0
        for second in experiences.indices {
            let added = experiences[..<second].reduce(0) { $0 + $1.variationCount * experiences[second].variationCount }
            guard cells + added <= Self.cellLimit else { break }
            paired = second + 1
            for first in 0..<second {
                starts.append(cells)
                cells += experiences[first].variationCount * experiences[second].variationCount
            }
        }
        pairStarts = starts
        pairCellCount = cells
        pairedCount = paired
    }

    /// Where the cells of a pair begin.
    func cells(first: Int, second: Int) -> Int { pairStarts[second * (second - 1) / 2 + first] }
}
