import ConvertECMAScript
import ConvertSwiftSDKCore

/// `convert-sdk features`.
struct FeaturesCommand {
    private let config: ConfigOption
    private let visitor: VisitorOption
    private let keys: [String]
    private let castsTypes: Bool
    private let printsJSON: Bool

    init(_ arguments: [String]) throws {
        let arguments = try Arguments(
            arguments, valued: ConfigOption.names.union(VisitorOption.names).union(["--feature"]),
            flags: ["--uncast", "--json"], command: "features")
        if let operand = arguments.operands.first {
            throw UsageError("unexpected '\(operand)'; see 'convert-sdk help features'")
        }
        config = try ConfigOption(arguments)
        visitor = try VisitorOption(arguments)
        keys = arguments.all("--feature")
        castsTypes = !arguments.has("--uncast")
        printsJSON = arguments.has("--json")
    }

    func run() async throws -> ExitCode {
        let manager = FeatureManager(experiences: ExperienceManager(project: try await config.load()))
        var person = manager.experiences.visitor(id: visitor.id, attributes: visitor.attributes)
        var answers: [Answer] = []
        if keys.isEmpty {
            let found = manager.features(for: &person, options: visitor.options, castsTypes: castsTypes)
            answers = found.features.map(Answer.init)
        } else {
            for key in keys {
                let found = manager.feature(key, for: &person, options: visitor.options, castsTypes: castsTypes)
                answers += found.features.map(Answer.init)
            }
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        return .done
    }

    private func printForPeople(_ answers: [Answer]) {
        let rows = answers.map { answer in
            [
                answer.key ?? answer.id ?? "-", answer.status, answer.experienceKey ?? "-",
                answer.variables.map { ECMAScript.jsonText(of: $0) } ?? "",
            ]
        }
        Console.printTable([["FEATURE", "STATUS", "EXPERIENCE", "VARIABLES"]] + rows)
    }
}

/// One feature as it is printed; the members are named as the JavaScript SDK names them.
private struct Answer: Encodable {
    let id: String?
    let key: String?
    let status: String
    let variables: JSValue?
    let experienceId: String?
    let experienceKey: String?

    init(_ feature: BucketedFeature) {
        id = feature.id
        key = feature.key
        status = feature.status.rawValue
        variables = feature.variables
        experienceId = feature.experienceID
        experienceKey = feature.experienceKey
    }
}
