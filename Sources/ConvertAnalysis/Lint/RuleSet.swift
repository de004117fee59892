internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A rule graph with its place.
struct RuleSet {
    let entity: ConfigDocument.Entity
    let member: String
    let scope: Formula.Scope
    let groups: [RuleGroup]
    /// The conditions without a defect, by group and clause.
    let sites: [[[SitedCondition]]]
    let tree: RuleTree
    /// The audience's question about another experience; it replaces the whole graph.
    let question: BucketingQuestion?

    init(
        entity: ConfigDocument.Entity, member: String, scope: Formula.Scope, tree: RuleTree, semantics: RuleSemantics
    ) {
        self.entity = entity
        self.member = member
        self.scope = scope
        self.tree = tree
        groups = RuleAdapter(semantics: semantics).flatten(tree)
        question = entity.list == .audiences ? tree.bucketingQuestion : nil
        let path = "\(entity.path).\(member)"
        sites = groups.enumerated().map { group, block in
            block.clauses.enumerated().map { clause, conditions in
                conditions.enumerated().compactMap { leaf, condition in
                    SitedCondition(
                        condition, under: semantics, scope,
                        at: path + RulePlace(block: group, clause: clause, leaf: leaf).path)
                }
            }
        }
    }

    var path: String { "\(entity.path).\(member)" }

    /// The path of a group, of its clause, or of the clause's condition.
    func path(_ group: Int, _ clause: Int? = nil, _ leaf: Int? = nil) -> String {
        path + RulePlace(block: group, clause: clause, leaf: leaf).path
    }

    /// The rules as they stand in the config.
    var value: JSValue? { entity.members[member] }

    /// The element at the end of `steps`; `nil` if an element does not exist.
    ///
    /// Each step takes a list from a member, and one element of the list.
    func value(at steps: [(member: String, place: Int)]) -> JSValue? {
        steps.reduce(value) { value, step in
            guard let list = value?.objectValue?[step.member]?.arrayValue, step.place < list.count else { return nil }
            return list[step.place]
        }
    }

    /// The path of a `null` that evaluation meets as a condition: it may stand for a whole group or clause.
    func pathOfNull(_ group: Int, _ clause: Int, _ leaf: Int) -> String {
        guard group < tree.blocks.count, let block = tree.blocks[group] else { return path(group) }
        guard clause < block.clauses.count, block.clauses[clause] != nil else { return path(group, clause) }
        return path(group, clause, leaf)
    }
}
