internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// An audience's condition on whether visitors are in another experience. The first leaf with such a condition replaces
/// all of the audience's rules.
struct BucketingQuestion {
    /// The leaf's indices in the tree.
    let group: Int
    let clause: Int
    let leaf: Int
    /// The key of the experience.
    let experienceKey: PropertyKey
    /// Whether visitors in the experience are kept out. If `false`, only they are let in.
    let keepsOut: Bool

    /// The leaf's path, such as `.OR[0].AND[0].OR_WHEN[0]`.
    var path: String { RulePlace(block: group, clause: clause, leaf: leaf).path }
}

extension RuleTree {
    /// The tree's first condition on another experience; `nil` if it contains no such condition.
    var bucketingQuestion: BucketingQuestion? {
        for (group, block) in blocks.enumerated() {
            for (clause, list) in (block?.clauses ?? []).enumerated() {
                for (index, leaf) in (list?.leaves ?? []).enumerated() {
                    guard let leaf, leaf.ruleType == "bucketed_into_experience_key" else { continue }
                    var keepsOut = false
                    if case .operation(_, let negated) = leaf.matching { keepsOut = negated?.isTruthy ?? false }
                    return BucketingQuestion(
                        group: group, clause: clause, leaf: index, experienceKey: ECMAScript.toPropertyKey(leaf.value),
                        keepsOut: keepsOut)
                }
            }
        }
        return nil
    }

    /// The number of leaves.
    var leafCount: Int {
        blocks.reduce(0) { $0 + ($1?.clauses ?? []).reduce(0) { $0 + ($1?.leaves.count ?? 0) } }
    }
}
