internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What a simulation counts. Tallies of parts of a population add up to that of the whole.
struct SimulationTally: Sendable {
    /// Counts of one experience.
    struct Experience: Sendable {
        /// Visitors who passed all gates.
        var eligible = 0
        /// Visitors among them that pass only with values that come from rules.
        var eligibleByRuleValues = 0
        /// Visitors who were kept out by other experiences alone.
        var keptOut = 0
        /// Visitors by variation.
        var variations: [Int]
        /// Visitors by variation who keep one that is stored.
        var kept: [Int]
        /// Visitors without a variation, by reason.
        var reasons: [Decision.Reason: Int] = [:]
        /// For each attached audience its visitors.
        var members: [Int]
        /// For each attached audience its visitors by variation, one audience after the other.
        var memberVariations: [Int]
    }

    var visitorCount = 0
    /// Number of visitors of the added tallies whose id an earlier one has.
    private(set) var repeatedCount = 0
    /// Hashes of the first ids of the added tallies, at most `idLimit`.
    private var knownIDs: Set<UInt64> = []
    /// Hashes of the ids of this part of a stream, in its order: ``add(_:)`` compares them with those of earlier parts,
    /// so that the count does not depend on where parts end.
    private var ids: [UInt64] = []
    /// What came of the records of a stream; the simulation reads nothing of a generated population.
    var records = RecordTally()
    var experiences: [Experience]
    /// For each pair of experiences visitors by both variations, as the plan lays them out.
    var pairs: [Int]
    /// For each pair of experiences visitors whose decision of one of them was stored before.
    var keptPairs: [Int]
    /// Visitors by the number of experiences that they got a variation in.
    var perVisitor: [Int]
    /// Counts of one exclusion.
    struct Exclusion: Sendable {
        /// Visitors in both experiences.
        var both = 0
        /// Visitors in the other experience alone.
        var otherOnly = 0
        /// Visitors who pass all other gates, and whom the exclusion keeps out.
        var keptOut = 0
        /// Those of them whom no other exclusion keeps out.
        var keptOutAlone = 0
    }

    var exclusions: [Exclusion]
    /// Attributes of visitors that no rule reads, at most ``unreadLimit``.
    private(set) var unreadAttributes: Set<PropertyKey> = []
    /// The last of them in alphabetical order.
    private var lastUnread: PropertyKey?

    /// How many attributes that no rule reads are named.
    private static let unreadLimit = 100

    /// How many ids are remembered, in 16 MB.
    private let idLimit: Int

    init(_ plan: SimulationPlan, idLimit: Int = 1_000_000) {
        self.idLimit = idLimit
        experiences = plan.experiences.map { experience in
            Experience(
                variations: Array(repeating: 0, count: experience.variationCount),
                kept: Array(repeating: 0, count: experience.variationCount),
                members: Array(repeating: 0, count: experience.audiences.count),
                memberVariations: Array(repeating: 0, count: experience.audiences.count * experience.variationCount))
        }
        pairs = Array(repeating: 0, count: plan.pairCellCount)
        keptPairs = Array(repeating: 0, count: SimulationPlan.pair(0, plan.pairedCount))
        perVisitor = Array(repeating: 0, count: plan.experiences.count + 1)
        exclusions = Array(repeating: Exclusion(), count: plan.exclusions.count)
    }

    /// Adds the tally of another part.
    mutating func add(_ other: SimulationTally) {
        visitorCount += other.visitorCount
        records.add(other.records)
        for id in other.ids {
            if knownIDs.contains(id) { repeatedCount += 1 } else if knownIDs.count < idLimit { knownIDs.insert(id) }
        }
        for (index, experience) in other.experiences.enumerated() {
            experiences[index].eligible += experience.eligible
            experiences[index].eligibleByRuleValues += experience.eligibleByRuleValues
            experiences[index].keptOut += experience.keptOut
            experiences[index].variations.add(experience.variations)
            experiences[index].kept.add(experience.kept)
            experiences[index].reasons.merge(experience.reasons, uniquingKeysWith: +)
            experiences[index].members.add(experience.members)
            experiences[index].memberVariations.add(experience.memberVariations)
        }
        pairs.add(other.pairs)
        keptPairs.add(other.keptPairs)
        perVisitor.add(other.perVisitor)
        for (index, exclusion) in other.exclusions.enumerated() {
            exclusions[index].both += exclusion.both
            exclusions[index].otherOnly += exclusion.otherOnly
            exclusions[index].keptOut += exclusion.keptOut
            exclusions[index].keptOutAlone += exclusion.keptOutAlone
        }
        for name in other.unreadAttributes { addUnread(name) }
    }

    /// Notes the id of the next visitor of a stream.
    mutating func noteID(of visitor: PopulationVisitor) {
        ids.append(Array(visitor.visitorID.utf8).withElements(FNV1a.hash))
    }

    /// Notes the attributes that are not among `known`.
    mutating func addUnread(_ attributes: JSObject, _ known: Set<PropertyKey>) {
        for member in attributes where !known.contains(member.key) { addUnread(member.key) }
    }

    /// Keeps the first names in alphabetical order, so that the report does not depend on the number of threads.
    private mutating func addUnread(_ name: PropertyKey) {
        if let lastUnread, unreadAttributes.count >= Self.unreadLimit {
            if name.name >= lastUnread.name || unreadAttributes.contains(name) { return }
            unreadAttributes.remove(lastUnread)
        }
        guard unreadAttributes.insert(name).inserted else { return }
        lastUnread = unreadAttributes.max { $0.name < $1.name }
    }
}

extension [Int] {
    /// Adds the elements of another array of the same length, one by one.
    fileprivate mutating func add(_ others: [Int]) {
        for index in indices { self[index] += others[index] }
    }
}
