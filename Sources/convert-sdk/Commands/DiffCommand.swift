import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk diff`.
struct DiffCommand: Command {
    private static let visitors = OptionDeclaration(
        "--visitors", nil, .file, "count over these visitors too, JSON lines as 'convert-sdk assign' reads them")
    private static let environment = OptionDeclaration(
        "--environment", "n", .text("NAME"), "the environment that the visitors are decided in (default: staging)")
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
            name: "OLD", meaning: "two project configs, the old one and the new one", count: 2...2, others: "NEW",
            candidates: .files),
        options: [ConfigOption.semantics, visitors, environment, json, html],
        remarks: """
            Exits with 0 if nobody's answer changes, with 1 if somebody's does or may. With --json it prints an object \
            with experiences, each with key, change, moved (the share of bucket values whose variation changes, 0 to 1), \
            moves (from, to, share), audience (equivalent, narrower, wider, changed, undecided), enters and leaves \
            (visitors or null), stored (moved and moves as shares of the visitors whose decision is stored, and audience, \
            enters and leaves among them), reordered (experiences that its \
            audiences ask about and that are decided on the other side of it, if any), and with features.
            """)

    private let files: (old: String, new: String)
    private let semantics: RuleSemantics
    private let visitors: String?
    private let environment: String
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        files = (arguments.operands[0], arguments.operands[1])
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        visitors = arguments[Self.visitors]
        environment = arguments[Self.environment] ?? "staging"
        printsJSON = arguments.has(Self.json)
        page = arguments[Self.html]
    }

    func run() async throws -> ExitCode {
        let (old, new) = (try config(files.old, "OLD"), try config(files.new, "NEW"))
        let diff = ConfigDiff(semantics: semantics)
        let difference: ConfigDifference
        if let visitors {
            let source = try ByteInput(visitors, for: Self.visitors.name)
            let (found, records) = try diff.difference(
                from: old.json, to: new.json, environment: environment, .jsonLines,
                read: { try source.read(into: $0) })
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
        if printsJSON { Console.print(difference.json) } else { printForPeople(difference) }
        return difference.changesAnswers ? .answerIsNo : .done
    }

    /// A config that can be read, and its bytes.
    private func config(_ path: String, _ argument: String) throws(UsageError) -> (json: Data, config: ProjectConfig) {
        let data = try InputFile.read(path, for: argument)
        do {
            return (data, try ProjectConfig(json: data))
        } catch {
            throw UsageError("'\(path)' is no project config: \(error)")
        }
    }

    private func printForPeople(_ difference: ConfigDifference) {
        let changed = difference.experiences.filter(\.changesAnswers)
        for experience in changed {
            let key = experience.oldKey.map { "\($0) → \(experience.key)" } ?? experience.key
            let change = experience.change == .none ? "changed" : experience.change.rawValue
            Console.print("\(key.onOneLine) \(change)".styled(.bold))
            if let environments = experience.environments {
                Console.print(
                    "    environment: "
                        + environments.map { $0.isEmpty ? "any" : $0.onOneLine }.joined(separator: " → "))
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
                let others = experience.reordered.map(\.onOneLine).joined(separator: ", ")
                Console.print("    decided on the other side of \(others), which its audiences ask about")
            }
            if let visitor = experience.enters { Console.print("    enters: " + visitor.json.onOneLine) }
            if let visitor = experience.leaves { Console.print("    leaves: " + visitor.json.onOneLine) }
            if experience.storedAudience != experience.audience {
                if let visitor = experience.storedEnters { Console.print("    stays in: " + visitor.json.onOneLine) }
                if let visitor = experience.storedLeaves { Console.print("    drops out: " + visitor.json.onOneLine) }
            }
            if let population = experience.population, population.moved > 0 {
                Console.print("    of the population: \(population.moved) of \(difference.visitorCount ?? 0)")
                for move in population.moves {
                    Console.print("      \(name(move.from)) → \(name(move.to)): \(move.count)")
                }
            }
        }
        for feature in difference.features {
            Console.print("feature \(feature.key.onOneLine) \(feature.change.rawValue)".styled(.bold))
            if !feature.experiences.isEmpty {
                Console.print("    in " + feature.experiences.map(\.onOneLine).joined(separator: ", "))
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

    private func name(_ variation: String?) -> String { variation?.onOneLine ?? "none" }

    /// A share in percent, as exact as bucket values are.
    private func percent(_ share: Double) -> String { ECMAScript.toString((share * 10_000).rounded() / 100) + " %" }
}
