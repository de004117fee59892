internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Allocations of variations, and variations without visitors.
extension LintContext {
    /// How many places are looked at for the cause of a finding.
    private static let mostOrigins = 100

    mutating func checkAllocations() {
        for experience in document[.experiences] where !document.isArchived(experience) {
            guard let model = ProjectConfig.Experience(.object(experience.members)) else { continue }
            let path = experience.path + ".variations"
            guard !model.variations.isEmpty else {
                add(
                    LintFinding(
                        .allocationZero, at: path, "\(experience.name) has no variations: no visitor is bucketed.",
                        remedy: "Add variations, or archive it."))
                continue
            }
            checkEach(experience)
            checkSum(model, experience, at: path)
            checkShares(model, experience, at: path)
        }
    }

    private mutating func checkEach(_ experience: ConfigDocument.Entity) {
        for (index, members) in experience.variations {
            let path = "\(experience.path).variations[\(index)].traffic_allocation"
            let name = members["key"]?.stringValue ?? "\(index)"
            guard let allocation = members["traffic_allocation"] else {
                add(
                    LintFinding(
                        .allocationUnreadable, at: path,
                        "Variation '\(name.excerpt())' has no allocation, which counts as 100 %.",
                        remedy: "Write the percentage."))
                continue
            }
            let weight = ECMAScript.toNumber(allocation)
            let isNumber =
                allocation.numberValue != nil
                || allocation.stringValue?.unicodeScalars.contains { !ECMAScript.isWhiteSpace($0) } ?? false
            if !weight.isNaN, !isNumber {
                add(
                    LintFinding(
                        .allocationUnreadable, at: path,
                        "The allocation of variation '\(name.excerpt())' is no number, and counts as "
                            + "\(ECMAScript.toString(weight)) %.",
                        remedy: "Write the percentage as a number."))
            } else if weight.isNaN {
                add(
                    LintFinding(
                        .allocationUnreadable, at: path,
                        "The allocation of variation '\(name.excerpt())' is no number: the layout breaks off there, "
                            + "or takes it for 100 %.",
                        remedy: "Write the percentage as a number."))
            } else if weight < 0 {
                add(
                    LintFinding(
                        .allocationNegative, at: path,
                        "The allocation of variation '\(name.excerpt())' is negative: no visitor gets it.",
                        remedy: "Write a percentage from 0 to 100."))
            }
        }
    }

    private mutating func checkSum(
        _ model: ProjectConfig.Experience, _ experience: ConfigDocument.Entity, at path: String
    ) {
        let allocations = model.variations.map { ECMAScript.toNumber($0.trafficAllocation) }
        if allocations.contains(where: \.isNaN) { return }
        let running = zip(model.variations, allocations).filter { $0.0.isRunning && $0.1 > 0 }
        let total = running.reduce(0) { $0 + $1.1 }
        let percent = ECMAScript.toString((total * 100).rounded() / 100)
        if total == 0 {
            add(
                LintFinding(
                    .allocationZero, at: path, "No running variation of \(experience.name) takes visitors.",
                    remedy: "Give the running variations allocations above 0, or archive the experience."))
        } else if total > 100.005 {
            let isAnchored = model.version > 11
            add(
                LintFinding(
                    .allocationAbove, at: path,
                    "The running variations of \(experience.name) are allocated \(percent) %: "
                        + (isAnchored ? "they overlap." : "the last ones get less than they are given."),
                    remedy: "Make the allocations add up to 100."))
            if isAnchored {
                add(
                    LintFinding(
                        .anchoredOverlap, at: path,
                        "Arms of the anchored layout overlap, so that visitors move to another variation when one of "
                            + "them is stopped or changed.",
                        remedy: "Make the allocations add up to 100.", under: [path]))
            }
        } else if total < 99.995 {
            add(
                LintFinding(
                    .allocationBelow, at: path,
                    "The running variations of \(experience.name) take \(percent) % of the visitors; the others see no "
                        + "variation.",
                    remedy: "Nothing, if that is meant; else make the allocations add up to 100.",
                    witness: witness(withoutVariationOf: experience),
                    under: experience.variations.prefix(Self.mostOrigins).map { "\(path)[\($0.index)].status" }))
        }
    }

    private mutating func checkShares(
        _ model: ProjectConfig.Experience, _ experience: ConfigDocument.Entity, at path: String
    ) {
        let shares = BucketRuns(model, under: semantics)
        // Where no arm takes anybody, the sum says so.
        if shares.runs.allSatisfy({ $0.arm == nil }) { return }
        // Each unreachable variation may follow from any of these, of which a few are enough to find the cause.
        let unsound = experience.variations.lazy.filter { _, members in
            let allocation = members["traffic_allocation"]
            return allocation?.numberValue.map { !($0 >= 0) } ?? true
        }.prefix(Self.mostOrigins).map { "\(path)[\($0.index)].traffic_allocation" }
        let takers = Array(unsound) + [path]
        for (place, variation) in model.variations.enumerated() where shares.isUnreachable(place) {
            let index = place < experience.variations.count ? experience.variations[place].index : place
            let name = variation.key ?? variation.id?.text ?? "\(index)"
            let allocation = ECMAScript.toNumber(variation.trafficAllocation)
            let reason: String
            let severity: LintFinding.Severity
            var origins: [String] = []
            let found = variation.id.flatMap { model.variation(id: $0.key, under: semantics) }
            if variation.id == nil {
                (reason, severity) = ("it has no id", .error)
            } else if !variation.isRunning {
                (reason, severity) = ("it does not run", .note)
                origins = ["\(path)[\(index)].status"]
            } else if !(allocation > 0) {
                (reason, severity) = ("it is allocated nothing", .warning)
            } else if found == nil {
                (reason, severity) = ("its id is not text, and is not found", .error)
            } else if found != place {
                (reason, severity) = ("an earlier one has its id, and is found for its visitors", .error)
            } else {
                (reason, severity) = ("variations before it take all bucket values", .error)
                origins = takers
            }
            add(
                LintFinding(
                    .variationUnreachable, severity, at: "\(path)[\(index)]",
                    "No new visitor gets variation '\(name.excerpt())' of \(experience.name): \(reason).",
                    remedy: found == place
                        ? "Nothing, if that is meant; else let it run, with room for its allocation."
                        : "Give it an id of its own, as text.", under: origins))
        }
    }
}
