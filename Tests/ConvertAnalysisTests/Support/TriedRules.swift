import ConvertECMAScript
import ConvertSwiftSDKCore

/// Rules that are compiled once and tried on many visitors.
struct TriedRules {
    private let set: SingleRuleSet

    init(_ groups: [RuleGroup], _ semantics: RuleSemantics) { set = SingleRuleSet(groups, semantics: semantics) }

    /// Whether a visitor with `attributes` meets them.
    func areMet(by attributes: JSObject) -> Bool {
        var resolved = set.resolve(attributes)
        return set.verdict(on: &resolved).isMatch
    }
}
