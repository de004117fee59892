internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The question of an audience for visitors in another experience, or for visitors outside of it: the first such leaf
/// stands for all of the audience's rules.
struct BucketingQuestion {
    /// The leaf's place in the tree.
    let group: Int
    let clause: Int
    let leaf: Int
    /// The key of the experience.
    let experienceKey: PropertyKey
    /// Whether visitors in the experience are kept out; else only they are let in.
    let keepsOut: Bool

    /// The leaf's place, such as `.OR[0].AND[0].OR_WHEN[0]`.
    var path: String { RulePlace(block: group, clause: clause, leaf: leaf).path }
}

extension RuleTree {
    /// What the tree asks about another experience, if it does.
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

    /// How many leaves the tree has.
    var leafCount: Int {
        blocks.reduce(0) { $0 + ($1?.clauses ?? []).reduce(0) { $0 + ($1?.leaves.count ?? 0) } }
    }
}
