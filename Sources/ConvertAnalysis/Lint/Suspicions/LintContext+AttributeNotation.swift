internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for names of attributes in the notation of a program or a template.
extension LintContext {
    /// The number of names with one sign from which on the sign counts as a habit of the app.
    private static let habit = 3

    /// - Parameter sites: conditions on properties of one scope.
    /// - Returns: the names with findings.
    mutating func checkNotation(ofNamesIn sites: [SitedCondition]) -> Set<PropertyKey> {
        var names: [(name: String, key: PropertyKey, site: SitedCondition)] = []
        var known: Set<PropertyKey> = []
        for site in sites {
            guard let key = site.condition.attribute, let name = site.condition.key, known.insert(key).inserted else {
                continue
            }
            names.append((name, key, site))
        }
        let isHabit = names.count { $0.name.hasPrefix("$") && !$0.name.hasPrefix("${") } >= Self.habit
        var found: Set<PropertyKey> = []
        for (name, key, site) in names {
            guard let notation = AttributeNotation(name) else { continue }
            let isOfHabit = isHabit && name.hasPrefix("$") && !name.hasPrefix("${") && !name.hasPrefix("$.")
            if notation.isUnsure || isOfHabit, !known.contains(PropertyKey(notation.name)) { continue }
            found.insert(key)
            let condition = site.condition
            let meant = condition.renamed(notation.name).negated(condition.negation)
            let pair = difference(
                between: pool.formula(of: site), and: pool.formula(of: meant, site.scope))
            add(
                .readOtherwise, .suspicious, at: site.keyPath,
                "'\(name.excerpt())' is the name of one attribute: \(notation.reason).",
                remedy: "Write '\(notation.name.excerpt())', if that attribute is meant.",
                witness: pair?.lost.map(witness), contrast: pair?.extra.map(witness))
        }
        return found
    }
}
