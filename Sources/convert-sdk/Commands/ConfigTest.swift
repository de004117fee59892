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

    let name: String
    private let line: LoggedLine

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
        self.line = LoggedLine(line)
    }

    /// What does not come out as expected; empty if all does.
    func failures(by replay: DecisionReplay) throws(PopulationVisitorError) -> [Failure] {
        let manager = try replay.manager(for: line.line)
        let answers = line.answers(by: manager, of: [], explains: true)
        let known = Set(answers.map { PropertyKey($0.key) })
        let unknown = line.line.decisions.members.filter { !known.contains($0.key) }.map { member in
            let names = manager.project.config.experiences.compactMap(\.key)
            return Failure(
                message: "\(UnknownName("experience", member.key.name, among: names))", explanation: [])
        }
        return unknown
            + answers.filter(\.isDifferent).map { answer in
                let expected = answer.logged?.stringValue ?? "none"
                let variation = answer.decision.variation
                let found = variation.map { $0.variationKey ?? $0.variationID } ?? "none"
                let why = variation?.source.rawValue ?? answer.decision.reason?.rawValue ?? ""
                return Failure(
                    message: "\(answer.key): expected \(expected), got \(found) (\(why))",
                    explanation: answer.explanation?.lines ?? [])
            }
    }
}
