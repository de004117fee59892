internal import ConvertSwiftSDKCore

/// What a simulation counts. Tallies of parts of a population add up to that of the whole.
struct SimulationTally: Sendable {
    /// Counts of one experience.
    struct Experience: Sendable {
        /// Visitors who passed all gates.
        var eligible = 0
        /// Visitors by variation.
        var variations: [Int]
        /// Visitors without a variation, by reason.
        var reasons: [Decision.Reason: Int] = [:]
        /// For each attached audience its visitors.
        var members: [Int]
        /// For each attached audience its visitors by variation, one audience after the other.
        var memberVariations: [Int]
    }

    var visitorCount = 0
    var errorCount = 0
    var experiences: [Experience]
    /// For each pair of experiences visitors by both variations, as the plan lays them out.
    var pairs: [Int]
    /// Visitors by the number of experiences that they got a variation in.
    var perVisitor: [Int]
    /// For each exclusion the visitors in both experiences, and in the other one alone.
    var exclusions: [(both: Int, otherOnly: Int)]

    init(_ plan: SimulationPlan) {
        experiences = plan.experiences.map { experience in
            Experience(
                variations: Array(repeating: 0, count: experience.variationCount),
                members: Array(repeating: 0, count: experience.audiences.count),
                memberVariations: Array(repeating: 0, count: experience.audiences.count * experience.variationCount))
        }
        pairs = Array(repeating: 0, count: plan.pairCellCount)
        perVisitor = Array(repeating: 0, count: plan.experiences.count + 1)
        exclusions = Array(repeating: (0, 0), count: plan.exclusions.count)
    }

    /// Adds the tally of another part.
    mutating func add(_ other: SimulationTally) {
        visitorCount += other.visitorCount
        errorCount += other.errorCount
        for (index, experience) in other.experiences.enumerated() {
            experiences[index].eligible += experience.eligible
            experiences[index].variations.add(experience.variations)
            experiences[index].reasons.merge(experience.reasons, uniquingKeysWith: +)
            experiences[index].members.add(experience.members)
            experiences[index].memberVariations.add(experience.memberVariations)
        }
        pairs.add(other.pairs)
        perVisitor.add(other.perVisitor)
        for (index, exclusion) in other.exclusions.enumerated() {
            exclusions[index].both += exclusion.both
            exclusions[index].otherOnly += exclusion.otherOnly
        }
    }
}

extension [Int] {
    /// Adds the elements of another array of the same length, one by one.
    fileprivate mutating func add(_ others: [Int]) {
        for index in indices { self[index] += others[index] }
    }
}
