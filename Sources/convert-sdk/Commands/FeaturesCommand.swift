import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

/// `convert-sdk features`.
struct FeaturesCommand: Command {
    private static let feature = OptionDeclaration(
        "--feature", "f",
        OptionDeclaration.Value(name: "KEY", candidates: .config { $0.features.compactMap(\.key) }), isRepeatable: true,
        "find only this feature")
    private static let uncast = OptionDeclaration("--uncast", nil, "leave variables as they stand in the config")
    private static let explain = OptionDeclaration("--explain", "x", "print the reason of each experience")

    static let declaration = CommandDeclaration(
        name: "features", summary: "find a visitor's features",
        discussion: """
            Finds all features of a project config, or the named ones, and prints a table with their variables.
            """,
        options: ConfigOption.declarations + VisitorOption.declarations + [
            feature, uncast, explain, CommonOption.json,
        ],
        remarks: "Exits with 1 if the config does not declare one of the features that were named.")

    private let config: ConfigOption
    private let visitor: VisitorOption
    private let keys: [String]
    private let castsTypes: Bool
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        visitor = try VisitorOption(arguments)
        keys = arguments.all(Self.feature)
        castsTypes = !arguments.has(Self.uncast)
        explains = arguments.has(Self.explain)
        printsJSON = arguments.has(CommonOption.json)
    }

    func run() async throws -> ExitCode {
        let manager = FeatureManager(experiences: ExperienceManager(project: try await config.load()))
        var person = visitor.visitor(of: manager.experiences)
        let said = try visitor.decisions(for: &person, of: manager.experiences)
        said.makeForcedDecisions(for: &person, by: manager.experiences)
        let config = manager.experiences.project.config
        var answers: [PrintedFeature] = []
        var effects: [DecisionEffect] = []
        if keys.isEmpty && !explains {
            let found = manager.features(for: &person, options: said.options, castsTypes: castsTypes)
            answers = found.value.features.map { PrintedFeature($0, nil) }
            effects = found.effects
        }
        for name in keys.isEmpty && explains ? config.features.map({ $0.key ?? $0.id.text }) : keys {
            let declared = config.feature(named: name)
            // No call can ask for a feature without a key, but a call for all features has it.
            if let declared, declared.key == nil, declared.id.key == PropertyKey(name) {
                let found = manager.features(for: &person, options: said.options, castsTypes: castsTypes)
                effects += found.effects
                answers += found.value.features.filter { $0.id.map { PropertyKey($0) } == declared.id.key }
                    .map { PrintedFeature($0, nil) }
                continue
            }
            let key = declared?.key ?? name
            // Explained before deciding, because the decision changes the stored state and thereby the explanation.
            let explanation = explains ? manager.explain(key, for: person, options: said.options) : nil
            let found = manager.feature(key, for: &person, options: said.options, castsTypes: castsTypes)
            effects += found.effects
            for (index, feature) in found.value.features.enumerated() {
                answers.append(PrintedFeature(feature, index == 0 ? explanation : nil))
            }
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        Console.complain(of: effects)
        let unknown = keys.filter { name in
            !config.features.contains { [$0.key ?? $0.id.text, $0.id.text].contains { $0.hasSameCodeUnits(as: name) } }
        }
        for name in unknown {
            Console.complainOfUnknown("feature", name, among: config.features.compactMap(\.key))
        }
        return unknown.isEmpty ? .done : .answerIsNo
    }

    private func printForPeople(_ answers: [PrintedFeature]) {
        let rows = answers.map { answer in
            [
                answer.key ?? answer.id ?? "-", answer.status, answer.experienceKey ?? "-",
                answer.variables.map { ECMAScript.jsonText(of: $0) } ?? answer.reason ?? "",
            ]
        }
        Console.printTable([["FEATURE", "STATUS", "EXPERIENCE", "VARIABLES OR WHY NOT"]] + rows)
        for explanation in answers.compactMap(\.explanation) {
            Console.print()
            explanation.printTree()
        }
    }
}

/// A printed feature; its members have the names of the JavaScript SDK.
private struct PrintedFeature: Encodable {
    let id: String?
    let key: String?
    let status: String
    let variables: JSValue?
    let experienceId: String?
    let experienceKey: String?
    let reason: String?
    let explanation: FeatureExplanation?

    init(_ feature: BucketedFeature, _ explanation: FeatureExplanation?) {
        id = feature.id
        key = feature.key
        status = feature.status.rawValue
        variables = feature.variables
        experienceId = feature.experienceID
        experienceKey = feature.experienceKey
        reason = feature.disabledReason?.rawValue
        self.explanation = explanation
    }
}
