import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Prints the differences between two configs, as text or as Markdown.
struct DifferencePrinter {
    private let difference: ConfigDifference
    private let changed: [ConfigDifference.Experience]

    init(_ difference: ConfigDifference) {
        self.difference = difference
        changed = difference.experiences.filter(\.changesAnswers)
    }

    /// Prints the differences for a terminal.
    func printText() {
        if !difference.changesAnswers { return Console.print("no one's answer changes") }
        Console.print(difference.headline.styled(difference.disturbed.isEmpty ? .good : .doubtful))
        if let note = difference.samplingNote { Console.print("\(note)") }
        for experience in changed {
            Console.print("\(title(of: experience))".styled(.bold))
            for line in lines(of: experience) { Console.print("    \(line)") }
        }
        for feature in difference.features {
            Console.print("feature \(feature.name) \(feature.change.rawValue)".styled(.bold))
            for line in lines(of: feature) { Console.print("    \(line)") }
        }
        for fact in difference.otherFacts { Console.print(fact.styled(.bold)) }
    }

    /// Prints the differences as Markdown, for a comment on a pull request.
    func printMarkdown() {
        Console.print("### What this config changes")
        Console.print()
        if !difference.changesAnswers { return Console.print("No one's answer changes.") }
        Console.print("**\(Self.escaped(difference.headline))**")
        Console.print()
        if let note = difference.samplingNote {
            Console.print("\(note)")
            Console.print()
        }
        if !changed.isEmpty {
            Console.print(
                "| Experience | Change | New visitors who move | With a stored decision: move | Audience | Disturbs |")
            Console.print("| --- | --- | ---: | ---: | --- | --- |")
            for experience in changed {
                let cells = [
                    experience.oldKey.map { "\($0) → \(experience.key)" } ?? experience.key,
                    experience.changeName, experience.movedText, experience.storedMovedText,
                    experience.admission, experience.disturbance?.rawValue ?? "",
                ]
                Console.print("| \(cells.map { Self.escaped($0) }.joined(separator: " | ")) |")
            }
        }
        for experience in changed {
            Console.print()
            Console.print("<details><summary>\(Self.escaped(title(of: experience)))</summary>")
            Console.print()
            for line in lines(of: experience) {
                let rest = line.drop { $0 == " " }
                let margin = String(repeating: " ", count: line.count - rest.count)
                Console.print("\(margin)- \(Self.escaped(String(rest)))")
            }
            Console.print()
            Console.print("</details>")
        }
        for feature in difference.features {
            Console.print()
            Console.print("Feature **\(Self.escaped(feature.name))** \(feature.change.rawValue)")
            Console.print()
            for line in lines(of: feature) { Console.print("- \(Self.escaped(line))") }
        }
        if !difference.otherFacts.isEmpty { Console.print() }
        for fact in difference.otherFacts { Console.print("- \(Self.escaped(fact))") }
    }

    private func title(of experience: ConfigDifference.Experience) -> String {
        let key = experience.oldKey.map { "\($0) → \(experience.key)" } ?? experience.key
        return "\(key) \(experience.changeName)"
    }

    private func lines(of experience: ConfigDifference.Experience) -> [String] {
        var lines = experience.facts
        lines += Self.lines(of: experience.moves, experience.moved, of: experience.newVisitors)
        lines += Self.lines(
            of: experience.storedMoves, experience.storedMoved, of: "visitors whose decision is stored")
        lines += experience.witnesses.map { "\($0.label): \($0.visitor.json.visibleJSON)" }
        if let population = experience.population {
            lines.append(difference.countText(population.moved, unknowable: population.unknowable))
            for move in population.moves {
                lines.append("  \(Self.name(move.from)) → \(Self.name(move.to)): \(move.count)")
            }
        }
        return lines
    }

    private func lines(of feature: ConfigDifference.Feature) -> [String] {
        let order = feature.order
        return feature.facts(in: difference)
            + (order?.visitor.map { ["\(order?.label ?? ""): \($0.json.visibleJSON)"] } ?? [])
            + feature.values.map {
                "\($0.experience), \($0.variation): \($0.beforeText) → \($0.afterText)"
            }
    }

    private static func lines(of moves: [ConfigDifference.Move], _ moved: Double, of whom: String) -> [String] {
        guard moved > 0 else { return [] }
        return ["\(percent(moved)) of \(whom) move"]
            + moves.map { "  \(name($0.from)) → \(name($0.to)): \(percent($0.share))" }
            + (moves.shareOfOthers(in: moved).map { ["  others: \(percent($0))"] } ?? [])
    }

    private static func name(_ variation: String?) -> String { variation ?? "none" }

    private static func percent(_ share: Double) -> String { ConfigDifference.Experience.percent(share) }

    /// The text, escaped for Markdown.
    private static func escaped(_ text: String) -> String {
        var result = ""
        // Compares scalars, because a special character with a combining mark is another character.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<", ">", "&": result.append(markup: scalar)
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "@": result += "\\\(scalar)"
            case "\n", "\r": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
