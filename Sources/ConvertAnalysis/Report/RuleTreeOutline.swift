internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A rule graph as nested lists.
struct RuleTreeOutline {
    private let tree: RuleTree?

    init(_ tree: RuleTree?) { self.tree = tree }

    /// The lists.
    var html: HTML {
        guard let tree, !tree.blocks.isEmpty else { return #"<p class="soft">no rules: it never matches</p>"# }
        let blocks = HTML(
            tree.blocks.map { block in
                let clauses = HTML((block?.clauses ?? []).map { clause in Self.clause(clause?.leaves ?? []) })
                return "<li>all of<ul>\(clauses)</ul></li>"
            })
        return #"<ul class="tree"><li>any of<ul>\#(blocks)</ul></li></ul>"#
    }

    private static func clause(_ leaves: [RuleLeaf?]) -> HTML {
        let items = HTML(leaves.map { "<li>\(leaf($0))</li>" })
        return leaves.count == 1 ? items : "<li>any of<ul>\(items)</ul></li>"
    }

    private static func leaf(_ leaf: RuleLeaf?) -> HTML {
        guard let leaf else { return "null" }
        var matching = "?"
        var isNegated = false
        if case .operation(let matchType, let negated) = leaf.matching {
            matching = matchType ?? "?"
            isNegated = negated?.isTruthy ?? false
        }
        let value = leaf.value.map { " " + ECMAScript.jsonText(of: $0).excerpt(200) } ?? ""
        return """
            <code>\(leaf.key ?? leaf.ruleType ?? "?")</code> \(isNegated ? "not " : "")\(matching)\
            <code>\(value)</code>
            """
    }
}
