internal import ConvertECMAScript

/// Flattens rule graphs (`OR` of `AND` of `OR_WHEN` of leaves) into `[RuleGroup]`, from which decisions are compiled.
///
/// A leaf with a defect becomes a condition that never holds, and a diagnostic names the defect. Flattening takes time
/// linear to the graph. Conditions share the leaves' storage. Stateless.
package struct RuleAdapter: Sendable {
    /// Determines which operators are known, and where a leaf without `key` is looked up.
    package let semantics: RuleSemantics

    package init(semantics: RuleSemantics = .standard) { self.semantics = semantics }

    /// The groups of `tree`, one per block. A graph without blocks has no groups, and never matches. Diagnostics about
    /// the graph at `path` are appended to `diagnostics`.
    package func flatten(_ tree: RuleTree, path: String = "$", diagnostics: inout [ConfigDiagnostic]) -> [RuleGroup] {
        var groups: [RuleGroup] = []
        var place = RulePlace()
        func report(_ message: String, remedy: String = "Remove it, or write the object.") {
            diagnostics.append(message, at: path, place, remedy: remedy)
        }
        let null = RuleCondition(nil, under: semantics)
        func conditions(of clause: RuleTree.Clause?) -> [RuleCondition] {
            guard let clause else {
                report("null in place of a clause: the rules stop here without a match.")
                return [null]
            }
            if clause.leaves.isEmpty {
                report("OR_WHEN is missing or empty: the clause never matches.", remedy: "Add a condition.")
            }
            return clause.leaves.enumerated().map { index, leaf in
                let condition = RuleCondition(leaf, under: semantics)
                place.leaf = index
                switch condition.defect {
                case nil: break
                case .invalid(let reason):
                    report(
                        "\(reason): it never matches.",
                        remedy: "Write rule_type, key, value and matching with match_type and a boolean negated.")
                case .null: report("null where the rules need an object: they stop here without a match.")
                }
                return condition
            }
        }
        if tree.blocks.isEmpty {
            report("OR is missing or empty: the rules never match.", remedy: "Add a group of conditions.")
        }
        for (index, block) in tree.blocks.enumerated() {
            place = RulePlace(block: index)
            guard let block else {
                groups.append(RuleGroup(clauses: [[null]]))
                report("null in place of a block: the rules stop here without a match.")
                continue
            }
            if block.clauses.isEmpty {
                report("AND is missing or empty: the block never matches.", remedy: "Add a clause.")
            }
            let clauses = block.clauses.enumerated().map { index, clause in
                (place.clause, place.leaf) = (index, nil)
                return conditions(of: clause)
            }
            groups.append(RuleGroup(clauses: clauses))
        }
        return groups
    }

    /// The groups of `tree`, without diagnostics.
    package func flatten(_ tree: RuleTree) -> [RuleGroup] {
        var diagnostics: [ConfigDiagnostic] = []
        return flatten(tree, diagnostics: &diagnostics)
    }

    /// Why a condition made of `leaf` never holds; `nil` for a leaf without a defect.
    func defect(of leaf: RuleLeaf) -> String? {
        guard case .operation(let matchType?, let negated) = leaf.matching else {
            return "the leaf names no operator in matching.match_type"
        }
        if negated?.boolValue == nil { return "the leaf has no boolean matching.negated" }
        // In an audience this leaf stands for the whole tree, and is complete.
        if isUnevaluated(leaf.ruleType), !leaf.isExclusion {
            return leaf.ruleType.map { "rule type '\($0.excerpt())' is not evaluated under these semantics" }
                ?? "the leaf has no rule_type"
        }
        guard let operation = Operation(wireName: matchType, under: semantics) else {
            return "unknown operator '\(matchType.excerpt())'"
        }
        if leaf.isKeyMalformed && semantics.looksUpRuleType { return "the leaf's key is not text" }
        if leaf.value == nil && !operation.needsNoValue { return "the leaf has no value" }
        return nil
    }

    /// The operator of a condition without a defect; `nil` if the condition still never holds.
    func operation(of condition: RuleCondition) -> Operation? {
        // A condition made in code need not have a rule type. An exclusion in a config has a rule type that is not
        // evaluated.
        if let type = condition.ruleType, isUnevaluated(type) { return nil }
        return Operation(wireName: condition.matchType, under: semantics)
    }

    /// Whether leaves of the rule type never match.
    private func isUnevaluated(_ ruleType: String?) -> Bool {
        semantics.needsDocumentedRuleType && !DocumentedRuleTypes.contains(ruleType)
    }
}

/// A place in a rule graph: of a block, of a clause in it, or of a leaf in that.
package struct RulePlace {
    var block: Int?
    var clause: Int?
    var leaf: Int?

    package init(block: Int? = nil, clause: Int? = nil, leaf: Int? = nil) {
        self.block = block
        self.clause = clause
        self.leaf = leaf
    }

    /// The path from the graph on, such as `.OR[0].AND[0].OR_WHEN[0]`.
    package var path: String {
        (block.map { ".OR[\($0)]" } ?? "") + (clause.map { ".AND[\($0)]" } ?? "")
            + (leaf.map { ".OR_WHEN[\($0)]" } ?? "")
    }
}

extension [ConfigDiagnostic] {
    /// Appends `message` about `place` in the graph at `path`, unless the limit of diagnostics is reached.
    mutating func append(
        _ message: String, at path: String, _ place: RulePlace, member: String = "", remedy: String
    ) {
        guard count < ConfigDiagnostic.limit else { return }
        append(ConfigDiagnostic(path: path + place.path + member, message: message, remedy: remedy))
    }
}
