import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk decide`.
struct DecideCommand {
    private let config: ConfigOption
    private let visitor: VisitorOption
    private let experiences: [String]
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: [String]) throws {
        let arguments = try Arguments(
            arguments,
            valued: ConfigOption.names.union(VisitorOption.names).union(["--experience"]),
            flags: ["--explain", "--json"], command: "decide")
        if let operand = arguments.operands.first {
            throw UsageError("unexpected '\(operand)'; see 'convert-sdk help decide'")
        }
        config = try ConfigOption(arguments)
        visitor = try VisitorOption(arguments)
        experiences = arguments.all("--experience")
        explains = arguments.has("--explain")
        printsJSON = arguments.has("--json")
    }

    func run() async throws -> ExitCode {
        let project = try await config.load()
        let manager = ExperienceManager(project: project)
        let options = visitor.options
        var visitor = manager.visitor(id: visitor.id, attributes: visitor.attributes)
        let keys = experiences.isEmpty ? project.config.experiences.map(\.key) : experiences
        var answers: [Answer] = []
        for key in keys {
            // Explained first: the decision itself changes what is stored, and so what would be explained.
            let explanation = explains ? manager.explain(key, for: visitor, options: options) : nil
            let decision = manager.selectVariation(key, for: &visitor, options: options)
            answers.append(Answer(key: key, decision: decision, explanation: explanation))
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        return .done
    }

    private func printForPeople(_ answers: [Answer]) {
        Console.printTable(
            [["EXPERIENCE", "VARIATION", "BUCKET", "WHY"]]
                + answers.map { answer in
                    [
                        answer.experienceKey, answer.variationKey ?? answer.variationId ?? "-",
                        answer.bucketingAllocation.map { "\($0)" } ?? "-", answer.source ?? answer.reason ?? "",
                    ]
                })
        for explanation in answers.compactMap(\.explanation) {
            print()
            ExplanationPrinter().print(explanation)
        }
    }
}

/// One decision as it is printed; the members are named as the JavaScript SDK names them.
private struct Answer: Encodable {
    let experienceKey: String
    let experienceId: String?
    let variationId: String?
    let variationKey: String?
    let bucketingAllocation: Int?
    let source: String?
    let reason: String?
    let explanation: Explanation?

    init(key: String, decision: Decision, explanation: Explanation?) {
        let variation = decision.variation
        experienceKey = key
        experienceId = variation?.experienceID
        variationId = variation?.variationID
        variationKey = variation?.variationKey
        bucketingAllocation = variation?.bucketingAllocation
        source = variation?.source.rawValue
        reason = decision.reason.map { "\($0)" }
        self.explanation = explanation
    }
}
