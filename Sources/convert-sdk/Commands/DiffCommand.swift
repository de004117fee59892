import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk diff`.
struct DiffCommand: Command {
    private static let visitors = OptionDeclaration(
        "--visitors", nil, .file, "count over these visitors too, as 'convert-sdk assign' reads them")
    private static let format = OptionDeclaration(
        "--format", nil, .choice(PopulationFormat.self, default: .jsonLines), "how that file holds them")
    private static let sdkKey = OptionDeclaration(
        ConfigOption.sdkKey.name, ConfigOption.sdkKey.letter, .text("KEY"),
        "instead of OLD: fetch the config of this SDK key, which is live, to compare it with NEW")
    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")
    private static let html = OptionDeclaration(
        "--html", nil, .file, "also write the report as one HTML page, which needs nothing else")

    static let declaration = CommandDeclaration(
        name: "diff", summary: "tell what a new project config changes for whom",
        discussion: """
            Compares two versions of a project config: which share of the visitors moves to another variation, exactly, \
            whom the audiences and locations let in who were not and the other way round, with a visitor who shows it, \
            and which features are carried otherwise.
            """,
        operands: CommandDeclaration.Operands(
            name: "OLD", meaning: "two project configs, the old one and the new one", count: 1...2,
            spelling: "[OLD] NEW", candidates: .files),
        options: [
            sdkKey, ConfigOption.endpoint, ConfigOption.environment, ConfigOption.semantics, visitors, format, json,
            html,
        ],
        remarks: """
            Exits with 0 if nobody's answer changes, with 1 if somebody's does or may. With --json it prints an object \
            with experiences, each with key, change, moved (the share of bucket values whose variation changes, 0 to 1), \
            moves (from, to, share), audience (equivalent, narrower, wider, changed, undecided), enters and leaves \
            (visitors or null), stored (moved and moves as shares of the visitors whose decision is stored, and audience, \
            enters and leaves among them), reordered (experiences that its \
            audiences ask about and that are decided on the other side of it, if any), and with features.
            """)

    private let old: ConfigOption
    private let new: ConfigOption
    private let semantics: RuleSemantics
    private let visitors: String?
    private let format: PopulationFormat
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        let operands = arguments.operands
        old = try ConfigOption(arguments, file: operands.count > 1 ? operands.first : nil, for: "OLD")
        new = ConfigOption(file: operands[operands.count - 1], for: "NEW")
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        visitors = arguments[Self.visitors]
        format = try arguments.choice(Self.format, of: PopulationFormat.self) ?? .jsonLines
        if visitors == nil, arguments[Self.format] != nil {
            throw UsageError("\(Self.format.name) goes with \(Self.visitors.name)")
        }
        printsJSON = arguments.has(Self.json)
        page = arguments[Self.html]
    }

    func run() async throws -> ExitCode {
        let environment = old.decisionEnvironment
        let (old, new) = (try await old.read(), try await new.read())
        let diff = ConfigDiff(semantics: semantics)
        let difference: ConfigDifference
        if let visitors {
            let source = try ByteInput(visitors, for: Self.visitors.name)
            self.old.note(in: new.config)
            let (found, records) = try source.naming {
                try diff.difference(
                    from: old.json, to: new.json, environment: environment, format,
                    read: { try source.read(into: $0) })
            }
            source.endBySignalIfAny()
            if let error = records.firstErrors.first {
                throw UsageError("\(Self.visitors.name): line \(error.record) is no visitor: \(error.error)")
            }
            difference = found
        } else {
            difference = try diff.difference(from: old.json, to: new.json)
        }
        if let page {
            let html = difference.html(from: old.config, to: new.config)
            try OutputFile.write(html, to: page, for: Self.html.name)
        }
        if printsJSON { Console.print(json: difference.json) } else { printForPeople(difference) }
        return difference.changesAnswers ? .answerIsNo : .done
    }

    private func printForPeople(_ difference: ConfigDifference) {
        let changed = difference.experiences.filter(\.changesAnswers)
        for experience in changed {
            let key = experience.oldKey.map { "\($0) → \(experience.key)" } ?? experience.key
            let change = experience.change == .none ? "changed" : experience.change.rawValue
            Console.print("\(key) \(change)".styled(.bold))
            if let environments = experience.environments {
                let names = environments.map { $0.isEmpty ? "any" : $0 }.joined(separator: " → ")
                Console.print("    environment: \(names)")
            }
            printMoves(experience.moves, experience.moved, of: "new visitors")
            printMoves(experience.storedMoves, experience.storedMoved, of: "visitors whose decision is stored")
            if experience.audience != .equivalent {
                Console.print("    whom it lets in: \(experience.audience.rawValue.styled(.doubtful))")
            }
            if experience.storedAudience != experience.audience {
                let change = experience.storedAudience.rawValue.styled(.doubtful)
                Console.print("    whom of those with a stored decision it lets in: \(change)")
            }
            if !experience.reordered.isEmpty {
                let others = experience.reordered.joined(separator: ", ")
                Console.print("    decided on the other side of \(others), which its audiences ask about")
            }
            if let visitor = experience.enters { Console.print("    enters: \(visitor.json.visibleJSON)") }
            if let visitor = experience.leaves { Console.print("    leaves: \(visitor.json.visibleJSON)") }
            if experience.storedAudience != experience.audience {
                if let visitor = experience.storedEnters {
                    Console.print("    stays in: \(visitor.json.visibleJSON)")
                }
                if let visitor = experience.storedLeaves {
                    Console.print("    drops out: \(visitor.json.visibleJSON)")
                }
            }
            if let population = experience.population, population.moved > 0 {
                Console.print("    of the population: \(population.moved) of \(difference.visitorCount ?? 0)")
                for move in population.moves {
                    Console.print("      \(name(move.from)) → \(name(move.to)): \(move.count)")
                }
            }
        }
        for feature in difference.features {
            Console.print("feature \(feature.key) \(feature.change.rawValue)".styled(.bold))
            if !feature.experiences.isEmpty {
                Console.print("    in \(feature.experiences.joined(separator: ", "))")
            }
        }
        if changed.isEmpty, difference.features.isEmpty { Console.print("no one's answer changes") }
    }

    private func printMoves(_ moves: [ConfigDifference.Move], _ moved: Double, of whom: String) {
        guard moved > 0 else { return }
        Console.print("    \(percent(moved)) of \(whom) move")
        for move in moves {
            Console.print("      \(name(move.from)) → \(name(move.to)): \(percent(move.share))")
        }
    }

    private func name(_ variation: String?) -> String { variation ?? "none" }

    /// A share in percent, as exact as bucket values are.
    private func percent(_ share: Double) -> String { ECMAScript.toString((share * 10_000).rounded() / 100) + " %" }
}
