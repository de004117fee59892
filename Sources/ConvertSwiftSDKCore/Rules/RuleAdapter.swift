internal import ConvertECMAScript

/// Flattens rule graphs, `OR` of `AND` of `OR_WHEN` of leaves, into `[RuleGroup]`.
///
/// A leaf with a defect becomes a condition that never holds, and a diagnostic names the defect. Stateless; flattening takes time linear to the graph.
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
        var groups = RuleGroups()
        flatten(tree, path: path, into: &groups, diagnostics: &diagnostics)
        return groups.groups
    }

    /// The groups of `tree`, without diagnostics.
    package func flatten(_ tree: RuleTree) -> [RuleGroup] {
        var diagnostics: [ConfigDiagnostic] = []
        return flatten(tree, diagnostics: &diagnostics)
    }

    /// Hands the conditions of `tree` to `sink`. There are as many as the tree has leaves, in the same order.
    func flatten(
        _ tree: RuleTree, path: String, into sink: inout some RuleSink, diagnostics: inout [ConfigDiagnostic]
    ) {
        var report = Report(path: path)
        if tree.isEmpty { report.add("OR is missing or empty: the rules never match.", to: &diagnostics) }
        for part in tree.parts {
            switch part {
            case .block(let clauses):
                if report.block >= 0 { sink.endGroup() }
                report.enterBlock()
                if clauses == 0 { report.add("AND is missing or empty: the block never matches.", to: &diagnostics) }
            case .nullBlock:
                if report.block >= 0 { sink.endGroup() }
                report.enterBlock()
                report.add("null in place of a block: the rules stop here without a match.", to: &diagnostics)
                sink.append(.null, .null, of: nil)
                sink.endClause()
            case .clause(let leaves):
                report.enterClause()
                if leaves.isEmpty {
                    report.add("OR_WHEN is missing or empty: the clause never matches.", to: &diagnostics)
                }
                for index in leaves {
                    let leaf = tree.leaves[index]
                    if let leaf, sink.appendAgain(leaf) { continue }
                    let (condition, action) = read(leaf)
                    if let defect = condition.defect {
                        report.add(defect, ofLeaf: index - leaves.lowerBound, to: &diagnostics)
                    }
                    sink.append(condition, action, of: leaf)
                }
                sink.endClause()
            case .nullClause:
                report.enterClause()
                report.add("null in place of a clause: the rules stop here without a match.", to: &diagnostics)
                sink.append(.null, .null, of: nil)
                sink.endClause()
            }
        }
        if report.block >= 0 { sink.endGroup() }
    }

    /// The condition that a leaf makes; a `null` in place of it, its clause or its block is `nil`.
    func condition(of leaf: RuleLeaf?) -> RuleCondition { read(leaf).condition }

    /// What to do with a condition that no tree of this adapter's made.
    func action(of condition: RuleCondition) -> RuleAction {
        switch condition.defect {
        case .null: .null
        case .invalid: .never
        // The flat model itself has no rule types: a condition need not name one.
        case nil where condition.ruleType.map(isUnevaluated) ?? false: .never
        case nil: Operation(wireName: condition.matchType, under: semantics).map(RuleAction.compare) ?? .never
        }
    }

    /// Whether no leaf of the rule type can match.
    private func isUnevaluated(_ ruleType: String?) -> Bool {
        semantics.needsDocumentedRuleType && !DocumentedRuleTypes.contains(ruleType)
    }

    private func read(_ leaf: RuleLeaf?) -> (condition: RuleCondition, action: RuleAction) {
        guard let leaf else { return (.null, .null) }
        let attribute = leaf.attribute ?? (semantics.looksUpRuleType ? leaf.ruleType.map { PropertyKey($0) } : nil)
        let matchType: String
        let negated: JSValue?
        switch leaf.matching {
        case .null: return (.null, .null)
        case .missing: (matchType, negated) = ("", nil)
        case .operation(let name, let flag): (matchType, negated) = (name ?? "", flag)
        }
        let operation = Operation(wireName: matchType, under: semantics)
        let defect = defect(of: leaf, operation, negated: negated)
        let condition = RuleCondition(
            attribute: attribute, matchType: matchType, value: leaf.value, negation: negated?.boolValue ?? false,
            ruleType: leaf.ruleType, defect: defect.map { .invalid($0) })
        guard defect == nil, let operation, !isUnevaluated(leaf.ruleType) else { return (condition, .never) }
        return (condition, .compare(operation))
    }

    private func defect(of leaf: RuleLeaf, _ operation: Operation?, negated: JSValue?) -> String? {
        guard case .operation(let matchType?, _) = leaf.matching else {
            return "the leaf names no operator in matching.match_type"
        }
        if negated?.boolValue == nil { return "the leaf has no boolean matching.negated" }
        // In an audience this one stands for the whole tree, and is complete.
        if isUnevaluated(leaf.ruleType), !leaf.isExclusion {
            return leaf.ruleType.map { "rule type '\($0.excerpt())' is not evaluated under these semantics" }
                ?? "the leaf has no rule_type"
        }
        guard let operation else { return "unknown operator '\(matchType.excerpt())'" }
        if leaf.isKeyMalformed && semantics.looksUpRuleType { return "the leaf's key is no text" }
        if leaf.value == nil && !operation.needsNoValue { return "the leaf has no value" }
        return nil
    }
}

/// What takes the conditions of a graph, one after the other.
protocol RuleSink {
    /// - Parameter leaf: what the condition was made of, if it was made of one.
    mutating func append(_ condition: RuleCondition, _ action: RuleAction, of leaf: RuleLeaf?)
    /// Appends what was appended for this leaf before, and says whether there is something without a defect.
    mutating func appendAgain(_ leaf: RuleLeaf) -> Bool
    mutating func endClause()
    mutating func endGroup()
}

/// The groups of a graph as they come.
private struct RuleGroups: RuleSink {
    private(set) var groups: [RuleGroup] = []
    private var conditions: [RuleCondition] = []
    private var clauseEnds: [Int] = []

    mutating func append(_ condition: RuleCondition, _ action: RuleAction, of leaf: RuleLeaf?) {
        conditions.append(condition)
    }

    mutating func appendAgain(_ leaf: RuleLeaf) -> Bool { false }

    mutating func endClause() { clauseEnds.append(conditions.count) }

    mutating func endGroup() {
        groups.append(RuleGroup(conditions: conditions, clauseEnds: clauseEnds))
        (conditions, clauseEnds) = ([], [])
    }
}

/// Spells diagnostics about one graph, with the place in it.
private struct Report {
    private let path: String
    /// Index of the block that was entered last, and of the clause in it; -1 if none was.
    private(set) var block = -1
    private var clause = -1

    init(path: String) { self.path = path }

    mutating func enterBlock() {
        block += 1
        clause = -1
    }

    mutating func enterClause() { clause += 1 }

    func add(_ defect: RuleCondition.Defect, ofLeaf leaf: Int, to diagnostics: inout [ConfigDiagnostic]) {
        switch defect {
        case .invalid(let reason): add("\(reason): it never matches.", leaf, to: &diagnostics)
        case .null:
            add("null where the rules need an object: they stop here without a match.", leaf, to: &diagnostics)
        }
    }

    func add(_ message: String, _ leaf: Int? = nil, to diagnostics: inout [ConfigDiagnostic]) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        var place = path
        if block >= 0 { place += ".OR[\(block)]" }
        if clause >= 0 { place += ".AND[\(clause)]" }
        if let leaf { place += ".OR_WHEN[\(leaf)]" }
        diagnostics.append(ConfigDiagnostic(path: place, message: message))
    }
}
