import ConvertECMAScript
import ConvertSwiftSDKCore

/// `convert-sdk decide`.
struct DecideCommand: Command {
    private static let experience = OptionDeclaration(
        "--experience", "e",
        OptionDeclaration.Value(name: "KEY", candidates: .config { $0.experiences.compactMap(\.key) }),
        isRepeatable: true,
        "decide only this experience")
    private static let explain = OptionDeclaration("--explain", "x", "tell every step")
    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")

    static let declaration = CommandDeclaration(
        name: "decide", summary: "decide experiences for a visitor",
        discussion: """
            Decides all experiences of a project config, or the named ones, in order, and prints a table. What the first \
            ones store, the next ones see.
            """,
        options: ConfigOption.declarations + VisitorOption.declarations + [experience, explain, json],
        remarks: """
            What is wrong with the config goes to standard error, one line each. Exits with 1 if the config does not have \
            one of the experiences that were named.
            """)

    private let config: ConfigOption
    private let visitor: VisitorOption
    private let experiences: [String]
    private let explains: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        visitor = try VisitorOption(arguments)
        experiences = arguments.all(Self.experience)
        explains = arguments.has(Self.explain)
        printsJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let manager = ExperienceManager(project: try await config.load())
        var person = visitor.visitor(of: manager)
        let said = try visitor.decisions(for: &person, of: manager)
        let all = manager.project.config.experiences
        var answers: [PrintedDecision] = []
        var unknown: [String] = []
        var effects: [DecisionEffect] = []
        // A key finds the first experience that has it.
        let byKey = Dictionary(all.map { ($0.entityKey.lookUp, $0) }, uniquingKeysWith: { first, _ in first })
        var decided: Set<PropertyKey> = []
        let keys = experiences.isEmpty ? all.map(\.entityKey.lookUp.name) : experiences
        for key in keys where !experiences.isEmpty || decided.insert(PropertyKey(key)).inserted {
            let experience = byKey[PropertyKey(key)]
            if experience == nil { unknown.append(key) }
            let options = said.options(for: experience)
            // Explained first: the decision itself changes what is stored, and so what would be explained.
            let explanation = explains ? manager.explain(key, for: person, options: options) : nil
            let answer = manager.selectVariation(key, for: &person, options: options)
            effects += answer.effects
            answers.append(PrintedDecision(key: key, decision: answer.value, explanation: explanation))
        }
        if printsJSON {
            try Console.printJSON(answers)
        } else {
            printForPeople(answers)
        }
        Console.complain(of: effects)
        for key in unknown { Console.complainOfUnknown("experience", key, among: all.compactMap(\.key)) }
        return unknown.isEmpty ? .done : .answerIsNo
    }

    private func printForPeople(_ answers: [PrintedDecision]) {
        Console.printTable(
            [["EXPERIENCE", "VARIATION", "BUCKET", "WHY"]]
                + answers.map { answer in
                    [
                        answer.experienceKey, answer.variationKey ?? answer.variationId ?? "-",
                        answer.bucketingAllocation.map { "\($0)" } ?? "-", answer.source ?? answer.reason ?? "",
                    ]
                })
        for explanation in answers.compactMap(\.explanation) {
            Console.print()
            explanation.printTree()
        }
    }
}

/// One decision as it is printed; the members are named as the JavaScript SDK names them.
private struct PrintedDecision: Encodable {
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
        reason = decision.reason?.rawValue
        self.explanation = explanation
    }
}
