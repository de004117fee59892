internal import ConvertSwiftSDKCore

/// The previous conditions of a group, for finding conditions that occur twice.
struct KnownConditions {
    private var places: [Int: String] = [:]
    private var meanings: [ConditionMeaning: String] = [:]

    /// The finding if an earlier condition has the same meaning as this one, whose number in the pool is `number`;
    /// otherwise `nil`.
    mutating func finding(about site: SitedCondition, _ number: Int, under semantics: RuleSemantics) -> LintFinding? {
        let condition = site.condition
        let meaning = ConditionMeaning(condition, under: semantics)
        defer {
            places[number] = site.path
            if let meaning { meanings[meaning] = site.path }
        }
        let message: String
        if let first = places[number] {
            message = "The condition \(condition.summary) occurs twice: also at \(first)."
        } else if let meaning, let first = meanings[meaning] {
            let exception = meaning.isOfScalars ? ", unless the attribute is an array or an object" : ""
            message = "The condition \(condition.summary) means the same as the one at \(first)\(exception)."
        } else {
            return nil
        }
        return LintFinding(.duplicateCondition, at: site.path, message, remedy: "Remove one of them.")
    }
}
