/// A question that could not be decided for some parts of a rule graph. One finding reports it for all parts of a kind.
struct OpenQuestion {
    let question: String
    /// The name of the parts, in the plural.
    let parts: String
    private(set) var path: String?
    private(set) var reason = ""
    private(set) var count = 0

    /// - Parameters:
    ///   - question: the question, such as `whether anybody can meet the group`.
    ///   - parts: the name of the parts, such as `groups`.
    init(_ question: String, of parts: String) {
        self.question = question
        self.parts = parts
    }

    /// Records that the question could not be decided for the part at `path`.
    mutating func add(_ reason: @autoclosure () -> String, at path: String) {
        count += 1
        if self.path != nil { return }
        self.path = path
        self.reason = reason()
    }

    /// The finding, at the first of these parts; `nil` if every part could be decided.
    var finding: LintFinding? {
        guard let path else { return nil }
        let more = count > 1 ? " The same goes for \(count - 1) more of the \(parts)." : ""
        return LintFinding(
            .undecided, at: path, "It was not decided \(question): \(reason).\(more)",
            remedy: "Simplify the conditions; an app can also raise AnalysisLimits.")
    }
}

/// The questions about a rule graph that could not be decided.
struct RuleQuestions {
    var condition = OpenQuestion("whether any value meets the condition", of: "conditions")
    var everyValue = OpenQuestion("whether every value meets the condition", of: "conditions")
    var anybody = OpenQuestion("whether anybody matches the rules", of: "rules")
    var everybody = OpenQuestion("whether everybody matches the rules", of: "rules")
    var implication = OpenQuestion("whether the group lets in a visitor whom the groups before it do not", of: "groups")

    var findings: [LintFinding] { [condition, everyValue, anybody, everybody, implication].compactMap(\.finding) }
}
