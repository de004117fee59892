internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Audiences that ask whether the visitor is in an experience.
extension LintContext {
    mutating func checkExclusions() {
        let experiences = document[.experiences]
        let places = Dictionary(
            experiences.enumerated().compactMap { place, entity in entity.key.map { (PropertyKey($0), place) } },
            uniquingKeysWith: { first, _ in first })
        var targets: [EntityID: (place: Int, isNegated: Bool)] = [:]
        for audience in document[.audiences] {
            guard let tree = audience.rules(), let leaf = tree.bucketingLeaf else { continue }
            let (path, count) = leafPlace(in: tree, of: audience)
            let key = ECMAScript.toString(leaf.value)
            if count > 1 {
                add(
                    LintFinding(
                        .conditionsOverridden, at: path,
                        "bucketed_into_experience_key stands for all rules of \(audience.name): its other conditions "
                            + "are not looked at.",
                        remedy: "Put the other conditions into an audience of their own, and require all audiences."))
            }
            guard let place = places[PropertyKey(key)] else {
                add(
                    unknown(
                        "experience", key, at: path + ".value", among: experiences.compactMap(\.key),
                        "it counts as one that the visitor is not in."))
                continue
            }
            if let id = audience.id { targets[id] = (place, leaf.isNegatedForBucketing) }
        }
        for (place, experience) in experiences.enumerated() where !document.isArchived(experience) {
            for (index, id) in experience.references("audiences") {
                guard let target = targets[id] else { continue }
                let other = experiences[target.place]
                let path = "\(experience.path).audiences[\(index)]"
                if document.isArchived(other) {
                    add(
                        LintFinding(
                            .exclusionOrder, at: path,
                            "\(experience.name) asks whether the visitor is in \(other.name), which is archived: nobody "
                                + "enters that any more.",
                            remedy: "Remove the audience."))
                } else if target.place >= place {
                    let what = target.place == place ? "itself" : "\(other.name), which is decided later"
                    add(
                        LintFinding(
                            .exclusionOrder, at: path,
                            "\(experience.name) asks whether the visitor is in \(what): at the first decision of all "
                                + "experiences nobody is.",
                            remedy: "Put \(other.name) before \(experience.name)."))
                }
            }
        }
    }

    /// Where the leaf stands that asks for an experience, and how many leaves there are.
    private func leafPlace(in tree: RuleTree, of audience: ConfigDocument.Entity) -> (path: String, count: Int) {
        var path = audience.path + ".rules"
        var count = 0
        var isFound = false
        for (group, block) in tree.blocks.enumerated() {
            for (clause, list) in (block?.clauses ?? []).enumerated() {
                for (index, leaf) in (list?.leaves ?? []).enumerated() {
                    count += 1
                    if !isFound, leaf?.ruleType == "bucketed_into_experience_key" {
                        path += ".OR[\(group)].AND[\(clause)].OR_WHEN[\(index)]"
                        isFound = true
                    }
                }
            }
        }
        return (path, count)
    }
}

extension RuleLeaf {
    /// Whether the leaf asks that the visitor is not in the experience.
    var isNegatedForBucketing: Bool {
        if case .operation(_, let negated) = matching { negated?.isTruthy ?? false } else { false }
    }
}
