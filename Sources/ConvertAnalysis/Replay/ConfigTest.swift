internal import ConvertECMAScript
internal import ConvertSwiftSDK
package import ConvertSwiftSDKCore

/// A visitor with the expected answers of a config: a line of a decision log with a name.
package struct ConfigTest: Sendable {
    /// A difference from the expected answer.
    package struct Failure: Sendable {
        package let message: String
        /// The explanation of the decision; empty if there is no explanation.
        package let explanation: [ExplanationLine]
        /// Whether the config does not contain a name in the test. Then the failure says nothing about the visitor.
        package var isOfUnknownName = false
    }

    /// The result of a test.
    package enum Outcome: Sendable {
        case passed
        case failed([Failure])
        /// The answer differs or is missing, and the line withholds data that decides it.
        case unknowable(withheld: [String])
    }

    package let name: String
    private let line: LoggedDecisions

    /// The environment in which the test is decided; `nil` stands for the default one.
    package var environment: String? { line.environment }

    /// The visitor's stored state before the test.
    package var storedState: VisitorState { line.visitor.stored }

    /// Creates a test that expects the decisions in `line`.
    package init(name: String, _ line: LoggedDecisions) {
        self.name = name
        self.line = line
    }

    /// Runs the test. Only the experiences and features that it names are checked.
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

    /// A note if the config does not contain the expected variation; otherwise empty.
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
