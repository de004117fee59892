import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk simulate`.
struct SimulateCommand: Command {
    private static let visitors = OptionDeclaration("--visitors", nil, .file, "the visitors, as 'assign' reads them")
    private static let format = CommonOption.format.only("with --visitors")
    private static let generate = OptionDeclaration(
        "--generate", "g", .text("N"), "instead of a file: generate this many visitors from the config's own rules")
    private static let seed = OptionDeclaration(
        "--seed", nil, .text("S"), "the seed of the generated visitors; another one gives other visitors (default: 1)")
    private static let attributes = OptionDeclaration(
        "--attributes", "a", .fileOrJSON,
        #"the attributes of generated visitors: {"plan": ["free", "pro"], "age": {"min": 18, "max": 80}}"#)

    static let declaration = CommandDeclaration(
        name: "simulate", summary: "count which visitors would get which variation",
        discussion: """
            Decides a config for a population, from a file or generated. For each experience it prints how many \
            visitors take part, the share of each variation, and whether it agrees with the allocation; whether \
            experiences depend on each other; how many visitors they share; and how many visitors exclusions cost. \
            With --baseline it plans: which effect each experience can show, and how long that takes. The same \
            population gives the same report.
            """,
        options: ConfigOption.declarations + [visitors, format, generate, seed, attributes]
            + PlannerOption.declarations + [CommonOption.threads, CommonOption.json, CommonOption.html],
        remarks: """
            --attributes is a JSON object: for each attribute a list of values; {"values": {"VALUE": WEIGHT}} for \
            texts with weights; or {"min": A, "max": B} for whole numbers. With "missing": 0.1 beside values or min, a \
            tenth of the visitors lack it. Attributes that are not named take values that the config's rules name, and \
            others. Numbers with * count visitors who are eligible only by such values.
            Effects are relative rises of the conversion rate. Each variation is compared with the first one that \
            takes traffic, in a two-sided test of Cohen's h; several comparisons are not corrected for their number.
            A probability is corrected for the number of tests: of experiences, of audiences, or of pairs.
            Exits with 1 if counts disagree with their allocation, if experiences depend on each other, or if a record \
            is not a valid visitor.
            """)

    private enum Population {
        case file(String, PopulationFormat)
        case generated(count: Int, seed: UInt64, AttributeSpecification)
    }

    private let config: ConfigOption
    private let population: Population
    private let plan: ExperimentPlan?
    private let threads: Int
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        plan = try PlannerOption.plan(arguments)
        threads = try arguments.threads()
        printsJSON = arguments.has(CommonOption.json)
        page = arguments[CommonOption.html]
        let count = try arguments.count(Self.generate, in: 1...1_000_000_000)
        switch (arguments[Self.visitors], count) {
        case (let file?, nil):
            for option in [Self.seed, Self.attributes] where arguments[option] != nil {
                throw UsageError("\(option.name) goes with --generate, not with --visitors")
            }
            population = .file(file, try arguments.format())
        case (nil, let count?):
            if arguments[Self.format] != nil {
                throw UsageError("\(Self.format.name) goes with \(Self.visitors.name), not with --generate")
            }
            guard let seed = UInt64(arguments[Self.seed] ?? "1") else {
                throw UsageError("\(Self.seed.name): give a whole number from 0 on")
            }
            population = .generated(count: count, seed: seed, try Self.specification(arguments))
        case (nil, nil): throw UsageError("--generate is missing: \(Self.generate.meaning); or give --visitors")
        case (_?, _?): throw UsageError("--visitors and --generate exclude each other; give one of them")
        }
    }

    private static func specification(_ arguments: Arguments) throws -> AttributeSpecification {
        guard let text = arguments[attributes] else { return AttributeSpecification() }
        guard let members = try InputFile.readValue(text, for: attributes.name).objectValue else {
            throw UsageError(
                #"\#(attributes.name) is not a JSON object; give for example '{"plan": ["free", "pro"]}'"#)
        }
        do {
            return try AttributeSpecification(members)
        } catch {
            throw UsageError("\(attributes.name): \(error)")
        }
    }

    func run() async throws -> ExitCode {
        let (project, revision) = try await config.loadWithRevision()
        let counted = try simulate(PopulationSimulation(project, environment: config.decisionEnvironment))
        let report = plan.map(counted.planned) ?? counted
        if let page {
            let provenance = PageProvenance(
                configs: [revision], project: project.config.project, environment: config.decisionEnvironment,
                semantics: project.options.semantics)
            let html = report.html(for: project.config, provenance: provenance)
            try OutputFile.write(html, to: page, for: CommonOption.html.name)
        }
        if printsJSON { try Console.printJSON(report) } else { SimulationPrinter(report).print() }
        if report.errors > 0 { Console.complain("\(report.errors) records are not valid visitors") }
        let isSound =
            report.errors == 0 && !report.experiences.contains { $0.ratio?.mismatch == true }
            && !report.pairs.contains(where: \.isDependent)
        return isSound ? .done : .answerIsNo
    }

    private func simulate(_ simulation: PopulationSimulation) throws -> SimulationReport {
        let progress = RowProgress()
        defer { Console.endProgress() }
        switch population {
        case .generated(let count, let seed, let attributes):
            return simulation.generate(count, seed: seed, attributes: attributes, threads: threads) {
                progress.show($0)
            }
        case .file(let path, let format):
            let source = try ByteInput(path, for: Self.visitors.name)
            let report = try source.naming {
                // Safe: `ByteInput` writes only within the buffer, and only during the call.
                try unsafe simulation.run(
                    format, threads: threads, read: { try unsafe source.read(into: $0) },
                    didCount: { progress.show($0) },
                    didFail: { error in
                        Console.endProgress()
                        [error].complain(as: "record")
                    })
            }
            source.endBySignalIfAny()
            return report
        }
    }
}
