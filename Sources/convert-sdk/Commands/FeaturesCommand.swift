import ConvertECMAScript
import ConvertSwiftSDKCore

/// `convert-sdk features`.
struct FeaturesCommand: Command {
    private static let feature = OptionDeclaration(
        "--feature", "f",
        OptionDeclaration.Value(name: "KEY", candidates: .config { $0.features.compactMap(\.key) }), isRepeatable: true,
        "find only this feature")
    private static let uncast = OptionDeclaration("--uncast", nil, "leave variables as they stand in the config")
    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")

    static let declaration = CommandDeclaration(
        name: "features", summary: "find a visitor's features",
        discussion: """
            Finds all features of a project config, or the named ones, and prints a table with their variables.
            """,
        options: ConfigOption.declarations + VisitorOption.declarations + [feature, uncast, json],
        remarks: "Exits with 1 if the config does not declare one of the features that were named.")

    private let config: ConfigOption
    private let visitor: VisitorOption
    private let keys: [String]
    private let castsTypes: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        visitor = try VisitorOption(arguments)
        keys = arguments.all(Self.feature)
        castsTypes = !arguments.has(Self.uncast)
        printsJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let manager = FeatureManager(experiences: ExperienceManager(project: try await config.load()))
        var (person, said) = try visitor.visitor(of: manager.experiences)
        said.makeForcedDecisions(for: &person, by: manager.experiences)
        var answers: [Answer] = []
        if keys.isEmpty {
            let found = manager.features(for: &person, options: said.options, castsTypes: castsTypes)
            answers = found.features.map(Answer.init)
        } else {
            for key in keys {
                let found = manager.feature(key, for: &person, options: said.options, castsTypes: castsTypes)
                answers += found.features.map(Answer.init)
            }
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        let declared = manager.experiences.project.config.features.compactMap(\.key)
        let unknown = keys.filter { !declared.contains($0) }
        for key in unknown { Console.complainOfUnknown("feature", key, among: declared) }
        return unknown.isEmpty ? .done : .answerIsNo
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
