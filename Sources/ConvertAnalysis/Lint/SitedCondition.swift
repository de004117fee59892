internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A condition without a defect, with its place in a config.
struct SitedCondition {
    let condition: RuleCondition
    let operation: Operation
    /// The owner of the property that the condition reads.
    let scope: Formula.Scope
    /// The condition's path. If the condition is the only one of a group or of an attached audience, the path of that
    /// group or reference.
    var path: String

    /// `nil` if the condition has a defect.
    init?(_ condition: RuleCondition, under semantics: RuleSemantics, _ scope: Formula.Scope, at path: String) {
        guard condition.defect == nil, let operation = Operation(wireName: condition.matchType, under: semantics)
        else { return nil }
        self.condition = condition
        self.operation = operation
        self.scope = scope
        self.path = path
    }

    var valuePath: String { path + ".value" }
    var keyPath: String { path + ".key" }

    /// The property that the condition reads; `nil` if it does not name a property.
    var subject: VisitorSearch.Subject? {
        condition.attribute.map { VisitorSearch.Subject(key: $0, scope: scope) }
    }

    /// The same condition, reported at another path.
    func moved(to path: String) -> SitedCondition {
        var moved = self
        moved.path = path
        return moved
    }
}

extension ConditionPool {
    subscript(site: SitedCondition) -> ConditionDomain { self[intern(site.condition)] }

    func formula(of site: SitedCondition) -> Formula { formula(of: site.condition, site.scope) }
}
