internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks the allocations of variations, and finds variations without visitors.
extension LintContext {
    /// The maximum number of places considered as the cause of a finding.
    private static let mostOrigins = 100
    /// The percentage of one bucket value.
    private static let smallestShare = 0.01

    mutating func checkAllocations() {
        for entity in document[.experiences] where !document.isArchived(entity) {
            guard let experience = ProjectConfig.Experience(.object(entity.members)) else { continue }
            let path = entity.path + ".variations"
            guard !experience.variations.isEmpty else {
                add(
                    .allocationZero, at: path, "\(entity.name) has no variations: no visitor is bucketed.",
                    remedy: "Add variations, or archive it.", under: [path])
                continue
            }
            let shares = BucketRuns(experience, under: semantics)
            checkEach(entity, isEmpty: shares.isEmpty)
            checkSum(experience, shares, entity, at: path)
            checkShares(experience, shares, entity, at: path)
        }
    }

    /// - Parameter isEmpty: whether no visitor gets any variation.
    private mutating func checkEach(_ entity: ConfigDocument.Entity, isEmpty: Bool) {
        for variation in entity.variations {
            let path = variation.path + ".traffic_allocation"
            let name = "'\((variation.members["key"]?.stringValue ?? "\(variation.index)").excerpt())'"
            guard let allocation = variation.members["traffic_allocation"] else {
                add(
                    .allocationUnreadable, at: path, "Variation \(name) has no allocation, which counts as 100 %.",
                    remedy: "Write the percentage as traffic_allocation.",
                    under: ["traffic_allocation", "weight", "weights"].map { "\(entity.path).\($0)" })
                continue
            }
            let weight = ECMAScript.toNumber(allocation)
            let isNumber =
                allocation.numberValue != nil
                || allocation.stringValue?.unicodeScalars.contains { !ECMAScript.isWhiteSpace($0) } ?? false
            let subject = "The allocation of variation \(name) is "
            if weight.isNaN {
                let consequence =
                    isEmpty
                    ? "the layout breaks off there, and no visitor gets a variation of \(entity.name)."
                    : "up to version 11, neither it nor the variations laid out after it get visitors; above, it "
                        + "counts as 100 %."
                add(
                    .allocationUnreadable, .error, at: path, "\(subject)not a number: \(consequence)",
                    remedy: "Write the percentage as a number.")
            } else if !isNumber {
                add(
                    .allocationUnreadable, at: path,
                    "\(subject)not a number, and counts as \(ECMAScript.toString(weight)) %.",
                    remedy: "Write the percentage as a number.")
            } else if weight < 0 {
                add(
                    .allocationNegative, at: path, "\(subject)negative: no visitor gets it.",
                    remedy: "Write a percentage from 0 to 100.")
            }
        }
    }

    /// An allocation as bucketing reads it: a missing one counts as 100.
    static func percentage(of allocation: JSValue?) -> Double { allocation.map { ECMAScript.toNumber($0) } ?? 100 }

    /// The places that may cause an unexpected sum; a few are enough to find one.
    private func origins(of entity: ConfigDocument.Entity) -> [String] {
        entity.variations.prefix(Self.mostOrigins).flatMap { variation in
            ["status", "traffic_allocation"].map { "\(variation.path).\($0)" }
        }
    }

    /// A percentage as text, with four decimals at most.
    private static func percent(_ share: Double) -> String { ECMAScript.toString((share * 10_000).rounded() / 10_000) }

    private mutating func checkSum(
        _ experience: ProjectConfig.Experience, _ shares: BucketRuns, _ entity: ConfigDocument.Entity, at path: String
    ) {
        let allocations = experience.variations.map { Self.percentage(of: $0.trafficAllocation) }
        if allocations.contains(where: \.isNaN) { return }
        let running = zip(experience.variations, allocations).filter { $0.0.isRunning && $0.1 > 0 }
        let total = running.reduce(0) { $0 + $1.1 }
        if total == 0 {
            add(
                .allocationZero, at: path, "No running variation of \(entity.name) takes visitors.",
                remedy: "Give the running variations allocations above 0, or archive the experience.",
                under: origins(of: entity))
        } else if total > 100.005 {
            let isAnchored = experience.version > 11
            add(
                .allocationAbove, at: path,
                "The running variations of \(entity.name) are allocated \(Self.percent(total)) %: "
                    + (isAnchored ? "they overlap." : "the last ones get less than their allocation."),
                remedy: "Make the allocations add up to 100.", under: origins(of: entity))
            if isAnchored {
                add(
                    .anchoredOverlap, at: path,
                    "Because the version of \(entity.name) is above 11, each variation has a fixed range of bucket "
                        + "values, and these ranges overlap: visitors move to another variation when one of them is "
                        + "stopped or changed.",
                    remedy: "Make the allocations add up to 100.", under: [path])
            }
            return
        }
        let cut = checkPlacesOfStopped(experience, allocations, shares, entity, at: path)
        let taken = cut ? shares.takenShare : total
        if total > 0, taken < 99.995 {
            add(
                .allocationBelow, at: path,
                "The running variations of \(entity.name) take \(Self.percent(taken)) % of the visitors; the others "
                    + "see no variation.",
                remedy: "Nothing, if that is meant; else make the allocations add up to 100.",
                witness: witness(withoutVariationOf: entity), under: (cut ? [path] : []) + origins(of: entity))
        }
    }

    /// Checks for a running variation that gets less than its allocation, because variations that do not run keep their
    /// places. Returns whether there is one.
    private mutating func checkPlacesOfStopped(
        _ experience: ProjectConfig.Experience, _ allocations: [Double], _ shares: BucketRuns,
        _ entity: ConfigDocument.Entity, at path: String
    ) -> Bool {
        let all = allocations.reduce(0) { $0 + max(0, $1) }
        guard experience.version > 11, all > 100.005 else { return false }
        // Each end of a range is rounded to a bucket value.
        let cut = experience.variations.indices.first { place in
            experience.variations[place].isRunning
                && shares.share(ofArm: place) < allocations[place] - 2 * Self.smallestShare
        }
        guard let cut else { return false }
        let name = experience.variations[cut].key ?? experience.variations[cut].id?.text ?? "\(cut)"
        add(
            .allocationAbove, at: path,
            "The variations of \(entity.name) are allocated \(Self.percent(all)) %, and those that do not run keep "
                + "their places: '\(name.excerpt())' gets \(Self.percent(shares.share(ofArm: cut))) % of the visitors "
                + "instead of \(Self.percent(allocations[cut])) %.",
            remedy: "Make the allocations of all variations add up to 100, stopped ones included.",
            under: origins(of: entity))
        return true
    }

    private mutating func checkShares(
        _ experience: ProjectConfig.Experience, _ shares: BucketRuns, _ entity: ConfigDocument.Entity, at path: String
    ) {
        // If no arm takes visitors, the finding about the sum says so.
        if shares.runs.allSatisfy({ $0.arm == nil }) { return }
        // Each unreachable variation may follow from any of these; a few are enough to find the cause.
        let unsound = entity.variations.lazy.filter { variation in
            let allocation = variation.members["traffic_allocation"]
            return allocation?.numberValue.map { !($0 >= 0) } ?? true
        }.prefix(Self.mostOrigins).map { $0.path + ".traffic_allocation" }
        let takers = Array(unsound) + [path]
        for (place, variation) in experience.variations.enumerated() where shares.isUnreachable(place) {
            let index = place < entity.variations.count ? entity.variations[place].index : place
            let name = variation.key ?? variation.id?.text ?? "\(index)"
            let allocation = Self.percentage(of: variation.trafficAllocation)
            let reason: String
            let severity: LintFinding.Severity
            var origins: [String] = []
            var remedy: String?
            let found = variation.id.flatMap { experience.variation(id: $0.key, under: semantics) }
            if variation.id == nil {
                (reason, severity) = ("it has no id", .error)
            } else if !variation.isRunning {
                (reason, severity) = ("it does not run", .note)
                origins = ["\(path)[\(index)].status"]
            } else if allocation <= 0 {
                (reason, severity) = ("it is allocated nothing", .warning)
                origins = ["\(path)[\(index)].traffic_allocation"]
            } else if found == nil {
                (reason, severity) = ("its id is not text, so no look-up finds it", .error)
            } else if found != place {
                (reason, severity) = ("an earlier variation has the same id, and visitors get that one", .error)
            } else if allocation < Self.smallestShare, shares.runs.contains(where: { $0.arm == nil }) {
                (reason, severity) = ("its share falls between two bucket values, of which there are 10,000", .error)
                remedy = "Allocate at least \(Self.smallestShare) % to it."
            } else {
                (reason, severity) = ("variations before it take all bucket values", .error)
                origins = takers
            }
            add(
                .variationUnreachable, severity, at: "\(path)[\(index)]",
                "No new visitor gets variation '\(name.excerpt())' of \(entity.name): \(reason).",
                remedy: remedy
                    ?? (found == place
                        ? "Nothing, if that is meant; else let it run, with room for its allocation."
                        : "Give it an id of its own, as text."),
                under: origins)
        }
    }
}
