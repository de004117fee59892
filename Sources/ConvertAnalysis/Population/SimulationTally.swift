internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The counts of a simulation. The tallies of a population's parts add up to the tally of the whole.
struct SimulationTally: Sendable {
    /// The counts of one experience.
    struct Experience: Sendable {
        /// The number of visitors who met all entry conditions.
        var eligible = 0
        /// The number of eligible visitors who meet the conditions only with values from rules.
        var eligibleByRuleValues = 0
        /// The number of visitors whom only other experiences kept out.
        var keptOut = 0
        /// The numbers of visitors, by variation.
        var variations: [Int]
        /// The numbers of visitors who kept a stored variation, by variation.
        var kept: [Int]
        /// The numbers of visitors without a variation, by reason.
        var reasons: [Decision.Reason: Int] = [:]
        /// The number of visitors in each attached audience.
        var members: [Int]
        /// The numbers of visitors by audience and variation, one audience after the other.
        var memberVariations: [Int]
    }

    var visitorCount = 0
    /// The number of visitors in the added tallies whose id an earlier one has.
    private(set) var repeatedCount = 0
    /// The hashes of the first ids in the added tallies, at most `idLimit`.
    private var knownIDs: Set<UInt64> = []
    /// The hashes of the ids in this part of a stream, in order. ``add(_:)`` compares them with the ids of earlier
    /// parts, so the count does not depend on the size of parts.
    private var ids: [UInt64] = []
    /// The results of reading the records of a stream; unused for a generated population.
    var records = RecordTally()
    var experiences: [Experience]
    /// For each pair of experiences, the numbers of visitors by both variations, in the plan's order of cells.
    var pairs: [Int]
    /// For each pair of experiences, the number of visitors with a stored decision for one of them.
    var keptPairs: [Int]
    /// The numbers of visitors, by the number of experiences in which they got a variation.
    var perVisitor: [Int]
    /// The counts of one exclusion.
    struct Exclusion: Sendable {
        /// The number of visitors in both experiences.
        var both = 0
        /// The number of visitors in the other experience only.
        var otherOnly = 0
        /// The number of visitors who meet all other conditions, and whom the exclusion keeps out.
        var keptOut = 0
        /// The number of ``keptOut`` visitors whom no other exclusion keeps out.
        var keptOutAlone = 0
    }

    var exclusions: [Exclusion]
    /// Attributes of visitors that no rule reads, at most ``unreadLimit``.
    private(set) var unreadAttributes: Set<PropertyKey> = []
    /// The last of ``unreadAttributes`` in alphabetical order.
    private var lastUnread: PropertyKey?

    /// The maximum number of attributes in ``unreadAttributes``.
    private static let unreadLimit = 100

    /// The maximum number of remembered ids, which take 16 MB.
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

    /// Records the id of a stream's next visitor.
    mutating func noteID(of visitor: PopulationVisitor) {
        ids.append(Array(visitor.visitorID.utf8).withElements(FNV1a.hash))
    }

    /// Records the attributes that are not in `known`.
    mutating func addUnread(_ attributes: JSObject, _ known: Set<PropertyKey>) {
        for member in attributes where !known.contains(member.key) { addUnread(member.key) }
    }

    /// Keeps the alphabetically first names, so the report does not depend on the number of threads.
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
    /// Adds the elements of another array of the same length to the elements of this one.
    fileprivate mutating func add(_ others: [Int]) {
        for index in indices { self[index] += others[index] }
    }
}
