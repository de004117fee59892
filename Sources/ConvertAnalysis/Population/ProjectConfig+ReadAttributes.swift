package import ConvertECMAScript
package import ConvertSwiftSDKCore

extension ProjectConfig {
    /// The attributes of visitors that the rules of audiences and segments read.
    package func readAttributes(under semantics: RuleSemantics) -> Set<PropertyKey> {
        let trees = (audiences.lazy.map(\.rules) + segments.lazy.map(\.rules)).compactMap(\.self)
        let clauses = trees.flatMap(\.blocks).compactMap(\.self).flatMap(\.clauses).compactMap(\.self)
        return Set(clauses.flatMap(\.leaves).compactMap { $0?.propertyName(under: semantics) })
    }

    /// The attributes among `names` that no rule reads, each with the most similar attribute that a rule reads.
    package func unreadAttributes(
        among names: some Sequence<PropertyKey>, under semantics: RuleSemantics
    ) -> [SimulationReport.UnreadAttribute] {
        let read = readAttributes(under: semantics)
        let known = read.map(\.name).sorted()
        return names.filter { !read.contains($0) }.map { SimulationReport.UnreadAttribute($0.name, among: known) }
    }
}

extension SimulationReport.UnreadAttribute {
    /// The name and the most similar one, as a clause.
    package var message: String { "no rule reads the attribute '\(name.excerpt(80))'\(nearest.question)" }
}

extension RuleLeaf {
    /// The property that the condition reads.
    func propertyName(under semantics: RuleSemantics) -> PropertyKey? {
        if let attribute { return attribute }
        return semantics == .javaScript || isKeyMalformed ? nil : ruleType.map { PropertyKey($0) }
    }
}
