import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A line of a decision log, decided again with its explanation.
struct LoggedLine {
    /// A decision beside what the log has.
    struct Answer {
        let key: String
        let decision: Decision
        let explanation: Explanation?
        /// The variation of the log, or `null`; `nil` if the log has no decision of it.
        let logged: JSValue?

        /// Whether the log has something else.
        var isDifferent: Bool {
            guard let logged else { return false }
            let variation = decision.variation.map { JSValue.string($0.variationKey ?? $0.variationID) } ?? .null
            return logged != variation
        }
    }

    let line: LoggedDecisions

    /// The line that `text` is, or that the file has which it names.
    init(_ text: String, for argument: String) throws(UsageError) {
        let data = try InputFile.readJSON(text, for: argument)
        let lines = data.split(separator: UInt8(ascii: "\n")).filter {
            !$0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 13 }
        }
        guard lines.count == 1, let only = lines.first else {
            throw UsageError("\(argument): expected one line of a decision log; found \(lines.count)")
        }
        do {
            line = try LoggedDecisions(line: Data(only))
        } catch {
            throw UsageError("\(argument) is no line of a decision log: \(error)")
        }
    }

    init(_ line: LoggedDecisions) { self.line = line }

    /// Decides everything that the call decided, in its order.
    ///
    /// - Parameters:
    ///   - manager: what decides it.
    ///   - names: the keys of the experiences that are returned; empty means those of the line, or all if it has none.
    ///   - explains: whether every step is explained.
    func answers(by manager: ExperienceManager, of names: [String], explains: Bool) -> [Answer] {
        var options = line.call.options
        options.locationProperties = line.visitor.locationProperties
        var person = manager.visitor(
            id: line.visitor.visitorID, attributes: line.visitor.attributes, state: line.visitor.stored)
        let logged = line.decisions.members.map(\.key)
        let all = manager.project.config.experiences.map(\.entityKey.lookUp)
        let asksForAll =
            switch line.call.question {
            case .allExperiences, .eachExperience, .feature, .features: true
            case .experiences, .experienceID: false
            }
        // Those before one decide what it sees.
        let order = asksForAll ? all : logged + names.map { PropertyKey($0) }.filter { !logged.contains($0) }
        let wanted = Set(names.isEmpty ? (logged.isEmpty ? all : logged) : names.map { PropertyKey($0) })
        var decided: Set<PropertyKey> = []
        var answers: [Answer] = []
        for key in order where decided.insert(key).inserted {
            let name = key.name
            let isShown = wanted.contains(key)
            let explanation = explains && isShown ? manager.explain(name, for: person, options: options) : nil
            let decision: Decision
            if line.call.question == .experienceID {
                decision = manager.selectVariation(id: name, for: &person, options: options).value
            } else {
                decision = manager.selectVariation(name, for: &person, options: options).value
            }
            if isShown {
                answers.append(
                    Answer(key: name, decision: decision, explanation: explanation, logged: line.decisions[key]))
            }
        }
        return answers
    }

    /// Prints answers as a table, and explanations below it.
    static func print(_ answers: [Answer]) {
        Console.printTable(
            [["EXPERIENCE", "VARIATION", "BUCKET", "WHY", "LOGGED"]]
                + answers.map { answer in
                    let variation = answer.decision.variation
                    let logged = answer.logged.map { $0.stringValue ?? "-" } ?? ""
                    return [
                        answer.key, variation?.variationKey ?? variation?.variationID ?? "-",
                        variation?.bucketingAllocation.map { "\($0)" } ?? "-",
                        variation?.source.rawValue ?? answer.decision.reason?.rawValue ?? "",
                        answer.isDifferent ? "\(logged) (differs)" : logged,
                    ]
                })
        for explanation in answers.compactMap(\.explanation) {
            Console.print()
            explanation.printTree()
        }
    }
}
