import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk decide`.
struct DecideCommand {
    private let config: String
    private let visitorID: String
    private let attributes: JSObject
    private let experiences: [String]
    private let options: DecisionOptions
    private let semantics: RuleSemantics
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: [String]) throws {
        let arguments = try Arguments(
            arguments,
            valued: [
                "--config", "--visitor", "--attribute", "--attributes", "--location", "--locations", "--experience",
                "--environment", "--semantics",
            ], flags: ["--explain", "--json"], command: "decide")
        if let operand = arguments.operands.first {
            throw UsageError("unexpected '\(operand)'; see 'convert-sdk help decide'")
        }
        config = try arguments.required("--config", "the file with the project config")
        visitorID = try arguments.required("--visitor", "the visitor's id")
        guard !visitorID.isEmpty else {
            throw UsageError("--visitor is empty; nothing is decided without a visitor's id")
        }
        attributes = try Self.properties("--attribute", "--attributes", arguments) ?? JSObject()
        experiences = arguments.all("--experience")
        semantics = try Self.semantics(arguments)
        explains = arguments.has("--explain")
        printsJSON = arguments.has("--json")
        var options = DecisionOptions()
        options.locationProperties = try Self.properties("--location", "--locations", arguments)
        options.environment = try arguments.single("--environment")
        self.options = options
    }

    func run() throws -> ExitCode {
        let project = CompiledProject(try loadConfig(), options: CompilationOptions(semantics: semantics))
        for diagnostic in project.diagnostics { Console.complain("warning: \(diagnostic)") }
        let manager = ExperienceManager(project: project)
        var visitor = manager.visitor(id: visitorID, attributes: attributes)
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

    private func loadConfig() throws -> ProjectConfig {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: config))
        } catch {
            throw UsageError("cannot read '\(config)'; give the path of a project config")
        }
        do {
            return try ProjectConfig(json: data)
        } catch {
            throw UsageError("'\(config)' is no project config: \(error)")
        }
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

    private static func semantics(_ arguments: Arguments) throws -> RuleSemantics {
        guard let name = try arguments.single("--semantics") else { return .standard }
        guard let semantics = RuleSemantics(rawValue: name) else {
            let names = RuleSemantics.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown semantics '\(name)'; choose one of \(names)")
        }
        return semantics
    }

    /// Properties from `KEY=TEXT` options over those of a JSON option, or `nil` if neither was given.
    private static func properties(
        _ pairOption: String, _ jsonOption: String, _ arguments: Arguments
    ) throws -> JSObject? {
        var properties: JSObject?
        if let json = try arguments.single(jsonOption) {
            guard let object = try? JSONDecoder().decode(JSObject.self, from: Data(json.utf8)) else {
                throw UsageError("\(jsonOption) is no JSON object; give for example '{\"visits\": 12}'")
            }
            properties = object
        }
        for pair in arguments.all(pairOption) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("\(pairOption) '\(pair)' is not of the form KEY=TEXT")
            }
            properties = properties ?? JSObject()
            properties?[String(parts[0])] = .string(String(parts[1]))
        }
        return properties
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
