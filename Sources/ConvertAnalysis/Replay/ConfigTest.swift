internal import ConvertECMAScript
internal import ConvertSwiftSDK
package import ConvertSwiftSDKCore

/// A visitor with the answers that a config is expected to give: a line of a decision log with a name.
package struct ConfigTest: Sendable {
    /// What came out otherwise.
    package struct Failure: Sendable {
        package let message: String
        /// The explanation of the decision; empty without one.
        package let explanation: [ExplanationLine]
        /// Whether the config does not have what the test names, which says nothing of its visitor.
        package var isOfUnknownName = false
    }

    /// What came of a test.
    package enum Outcome: Sendable {
        case passed
        case failed([Failure])
        /// Something else came out, or nothing could, and the line withholds what decided it.
        case unknowable(withheld: [String])
    }

    package let name: String
    private let line: LoggedDecisions

    /// What is stored of the visitor before the test.
    package var storedState: VisitorState { line.visitor.stored }

    /// A test of what `line` has decided.
    package init(name: String, _ line: LoggedDecisions) {
        self.name = name
        self.line = line
    }

    /// What comes of the test: of all that it names, and of nothing else that the config has.
    package func outcome(by replay: DecisionReplay, on config: ProjectConfig) throws(PopulationVisitorError) -> Outcome
    {
        let decisions = try replay.decisions(of: line, explains: true).filter { $0.logged != nil }
        let failures = decisions.filter(\.unknowable.isEmpty).compactMap { failure(of: $0, on: config) }
        if !failures.isEmpty { return .failed(failures) }
        let withheld = decisions.flatMap(\.unknowable)
        return withheld.isEmpty ? .passed : .unknowable(withheld: Set(withheld).sorted())
    }

    private func failure(of decision: ReplayedDecision, on config: ProjectConfig) -> Failure? {
        switch decision.subject {
        case .experience(let name) where decision.decision?.reason == .unknownExperience:
            let unknown = UnknownName("experience", name, among: config.experiences.compactMap(\.key))
            let key = config.experience(named: name)?.key
            let remedy = key.map { "; it is the id of '\($0.excerpt(80))': write the key" } ?? ""
            return Failure(message: "\(unknown)\(remedy)", explanation: [], isOfUnknownName: true)
        // A variation may carry a feature that the config does not declare.
        case .feature(let name)
        where decision.featureExplanation?.reason == .undeclared && decision.found == .null && decision.isDifferent:
            let unknown = UnknownName("feature", name, among: config.features.compactMap(\.key))
            return Failure(message: "\(unknown)", explanation: [], isOfUnknownName: true)
        default: break
        }
        if !decision.isDifferent { return nil }
        func text(_ value: JSValue?) -> String { value.flatMap(ReplayRoute.text(of:)) ?? "none" }
        return Failure(
            message: "\(decision.name): expected \(text(decision.logged)), got \(text(decision.found)) "
                + "(\(decision.reason))\(unknownVariation(expectedBy: decision, on: config))",
            explanation: decision.explanationLines)
    }

    /// What to say if the config does not have the expected variation; otherwise empty.
    private func unknownVariation(expectedBy decision: ReplayedDecision, on config: ProjectConfig) -> String {
        guard case .experience(let name) = decision.subject, let expected = decision.logged?.stringValue,
            let names = config.experience(named: name)?.variations.compactMap(\.keyOrID),
            !names.contains(where: { $0.hasSameCodeUnits(as: expected) })
        else { return "" }
        if expected.isEmpty { return "; write null to expect no variation" }
        let unknown = UnknownName("variation", expected, among: names)
        return "; the experience has no variation '\(expected.excerpt(80))'\(unknown.question)"
    }
}
