internal import ConvertECMAScript

/// Flattens rule graphs, `OR` of `AND` of `OR_WHEN` of leaves, into `[RuleGroup]`.
///
/// Whatever is wrong with a leaf is found here, once, and told as a diagnostic; such a leaf becomes a condition that
/// never holds. Stateless; flattening takes time linear to the graph.
package struct RuleAdapter: Sendable {
    /// Which operators are known, and where a leaf without `key` is looked up.
    package let semantics: RuleSemantics

    /// An adapter for `semantics`.
    package init(semantics: RuleSemantics = .standard) { self.semantics = semantics }

    /// The groups of `tree`, one per block.
    ///
    /// - Parameters:
    ///   - tree: the graph; one without blocks gives no groups, which never match.
    ///   - path: the JSON path of the graph, for the diagnostics.
    ///   - diagnostics: what is wrong is appended here.
    package func flatten(_ tree: RuleTree, path: String = "$", diagnostics: inout [ConfigDiagnostic]) -> [RuleGroup] {
        var report = Report(path: path, diagnostics: diagnostics)
        defer { diagnostics = report.diagnostics }
        if tree.blocks.isEmpty { report.add("OR is missing or empty: the rules never match.") }
        var groups: [RuleGroup] = []
        groups.reserveCapacity(tree.blocks.count)
        for index in tree.blocks.indices {
            (report.block, report.clause, report.leaf) = (index, nil, nil)
            groups.append(group(of: tree.blocks[index], report: &report))
        }
        return groups
    }

    /// The groups of `tree`, without diagnostics.
    package func flatten(_ tree: RuleTree) -> [RuleGroup] {
        var diagnostics: [ConfigDiagnostic] = []
        return flatten(tree, diagnostics: &diagnostics)
    }

    private func group(of block: RuleTree.Block?, report: inout Report) -> RuleGroup {
        guard let block else {
            report.add("null in place of a block: the rules stop here without a match.")
            return RuleGroup(clauses: [[.null]])
        }
        if block.clauses.isEmpty { report.add("AND is missing or empty: the block never matches.") }
        var conditions: [RuleCondition] = []
        var clauseEnds: [Int] = []
        clauseEnds.reserveCapacity(block.clauses.count)
        for index in block.clauses.indices {
            (report.clause, report.leaf) = (index, nil)
            append(block.clauses[index], to: &conditions, report: &report)
            clauseEnds.append(conditions.count)
        }
        return RuleGroup(conditions: conditions, clauseEnds: clauseEnds)
    }

    private func append(_ clause: RuleTree.Clause?, to conditions: inout [RuleCondition], report: inout Report) {
        guard let clause else {
            report.add("null in place of a clause: the rules stop here without a match.")
            return conditions.append(.null)
        }
        if clause.leaves.isEmpty { report.add("OR_WHEN is missing or empty: the clause never matches.") }
        for index in clause.leaves.indices {
            report.leaf = index
            let condition = clause.leaves[index].map(condition) ?? .null
            switch condition.defect {
            case .invalid(let reason): report.add("\(reason): it never matches.")
            case .null: report.add("null where the rules need an object: they stop here without a match.")
            case nil: break
            }
            conditions.append(condition)
        }
    }

    private func condition(of leaf: RuleLeaf) -> RuleCondition {
        let key = leaf.key ?? (semantics.looksUpRuleType ? leaf.ruleType : nil)
        let matchType: String
        let negated: JSValue?
        switch leaf.matching {
        case .null: return .null
        case .missing: (matchType, negated) = ("", nil)
        case .operation(let name, let flag): (matchType, negated) = (name ?? "", flag)
        }
        return RuleCondition(
            key: key, matchType: matchType, value: leaf.value, negation: negated?.boolValue ?? false,
            ruleType: leaf.ruleType,
            defect: defect(of: leaf, matchType: matchType, negated: negated).map { .invalid($0) })
    }

    private func defect(of leaf: RuleLeaf, matchType: String, negated: JSValue?) -> String? {
        if case .operation(_?, _) = leaf.matching {} else { return "the leaf names no operator in matching.match_type" }
        if negated?.boolValue == nil { return "the leaf has no boolean matching.negated" }
        guard let known = ComparisonOperator(wireName: matchType), !known.isMobile || semantics.knowsMobileMatchers
        else { return "unknown operator '\(matchType.prefix(60))'" }
        if leaf.isKeyMalformed && semantics.looksUpRuleType { return "the leaf's key is no text" }
        if leaf.value == nil && !known.needsNoValue { return "the leaf has no value" }
        return nil
    }
}

/// Diagnostics about one graph, with the place in it.
private struct Report {
    let path: String
    var diagnostics: [ConfigDiagnostic]
    var block: Int?
    var clause: Int?
    var leaf: Int?

    mutating func add(_ message: String) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        var place = path
        if let block { place += ".OR[\(block)]" }
        if let clause { place += ".AND[\(clause)]" }
        if let leaf { place += ".OR_WHEN[\(leaf)]" }
        diagnostics.append(ConfigDiagnostic(path: place, message: message))
    }
}
