import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A visitor with the answers that a config is expected to give: a line of a decision log with a name.
struct ConfigTest {
    /// What came out otherwise.
    struct Failure {
        let message: String
        /// The explanation of the decision; empty without one.
        let explanation: [ExplanationLine]
    }

    /// What came of a test.
    enum Outcome {
        case passed
        case failed([Failure])
        /// Something else came out, or nothing could, and the line withholds what decided it.
        case unknowable(withheld: [String])
    }

    let name: String
    private let line: LoggedDecisions

    /// The tests of a file: an object with the member `tests`, a list. Those without an environment are made in
    /// `environment`.
    static func read(_ path: String, for argument: String, in environment: String?) throws(UsageError) -> [ConfigTest] {
        let data = JSONComments.removed(from: try InputFile.read(path, for: argument))
        let value: JSValue
        do {
            value = try JSValue(json: data)
        } catch {
            throw UsageError("\(argument) '\(path)' cannot be read: \(error)")
        }
        guard let list = value.objectValue?["tests"]?.arrayValue else {
            throw UsageError("\(argument) '\(path)': expected an object with the member tests, a list of visitors")
        }
        var tests: [ConfigTest] = []
        for (index, value) in list.enumerated() {
            let place = "\(argument) '\(path)': tests[\(index)]"
            guard let members = value.objectValue else { throw UsageError("\(place) is no object") }
            tests.append(try ConfigTest(members, index, in: environment, at: place))
        }
        return tests
    }

    private init(
        _ members: JSObject, _ index: Int, in environment: String?, at place: String
    ) throws(UsageError) {
        var rest = members
        rest["name"] = nil
        var line: LoggedDecisions
        do {
            line = try LoggedDecisions(line: Data(ECMAScript.jsonText(keepingNumbersOf: .object(rest)).utf8))
        } catch {
            throw UsageError("\(place): \(error)")
        }
        // As a request does it: an experience that excludes visitors of another one sees what was decided before.
        if members["call"] == nil { line.call.question = .allExperiences }
        line.environment = line.environment ?? environment
        name = members["name"]?.stringValue ?? "\(line.visitor.visitorID) (\(index))"
        if line.comparedCount == 0 {
            throw UsageError(
                "\(place) compares nothing; give decisions with a variation's key, or null, for each experience to "
                    + "compare")
        }
        self.line = line
    }

    /// What comes of the test: of all that it names, and of nothing else that the config has.
    func outcome(by replay: DecisionReplay) throws(PopulationVisitorError) -> Outcome {
        let decisions = try replay.decisions(of: line, explains: true).filter { $0.logged != nil }
        let failures = decisions.compactMap { failure(of: $0, by: replay) }
        let isUnknown = decisions.contains { $0.found == nil } || !failures.isEmpty && !line.withheld.isEmpty
        if isUnknown { return .unknowable(withheld: line.withheld.isEmpty ? ["visitorId"] : line.withheld) }
        return failures.isEmpty ? .passed : .failed(failures)
    }

    private func failure(of decision: ReplayedDecision, by replay: DecisionReplay) -> Failure? {
        if decision.reason == Decision.Reason.unknownExperience.rawValue {
            let names = replay.experienceKeys
            return Failure(message: "\(UnknownName("experience", decision.name, among: names))", explanation: [])
        }
        if !decision.isDifferent { return nil }
        func text(_ value: JSValue?) -> String { value?.isNull ?? true ? "none" : LoggedLine.text(of: value) }
        return Failure(
            message: "\(decision.name): expected \(text(decision.logged)), got \(text(decision.found)) "
                + "(\(decision.reason))",
            explanation: decision.explanationLines)
    }
}
