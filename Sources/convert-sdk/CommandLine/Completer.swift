import ConvertSwiftSDKCore
import Foundation

/// The completions for the last word of a command line, according to the commands' declarations.
struct Completer {
    /// The command that the shells' scripts call: `convert-sdk complete WORD…`.
    static let name = "complete"
    /// The line that makes the shell offer files.
    static let files = ":files"

    private let words: [String]

    /// - Parameter words: the words after the tool's name. The last one may be incomplete.
    init(words: [String]) { self.words = words.isEmpty ? [""] : words }

    /// The candidates, one in each line with its meaning after a tab, or ``files``.
    var lines: [ConsoleText] {
        let current = words[words.count - 1]
        guard words.count > 1 else {
            return Self.matching(
                CommandList.all.map { ($0.declaration.name, $0.declaration.summary) } + [("--version", "the version")],
                current)
        }
        guard let command = try? CommandList.command(words[0]).declaration else { return [] }
        let place = Place(of: words.dropFirst(), in: command)
        switch place {
        case .option:
            return Self.matching(command.allOptions.map { ($0.name, $0.meaning) }, current)
        case .value(let candidates, let prefix):
            return lines(candidates, behind: prefix, current, command)
        }
    }

    private func lines(
        _ candidates: OptionDeclaration.Candidates, behind prefix: String, _ current: String,
        _ command: CommandDeclaration
    ) -> [ConsoleText] {
        switch candidates {
        case .none: return []
        case .files: return ["\(Self.files)"]
        case .names(let names): return Self.matching(names().map { (prefix + $0, "") }, current)
        case .config(let names):
            guard let arguments = try? Arguments(partOf: words.dropFirst(), for: command),
                let file = arguments[ConfigOption.file], Self.isRegular(file),
                let config = try? ConfigOption.read(file).config
            else { return [] }
            return Self.matching(names(config).map { (prefix + $0, "") }, current)
        }
    }

    /// Whether `path` names a regular file. Reading a pipe could wait forever.
    private static func isRegular(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        return (try? target.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false
    }

    private static func matching(_ candidates: [(name: String, meaning: String)], _ current: String) -> [ConsoleText] {
        candidates.filter { $0.name.hasPrefix(current) }.map { candidate in
            candidate.meaning.isEmpty ? "\(candidate.name)" : "\(candidate.name)\t\(candidate.meaning)"
        }
    }

    /// The role of the last word.
    private enum Place {
        case option
        /// A value or an operand. `behind` is the part of the word that comes before it.
        case value(OptionDeclaration.Candidates, behind: String)

        init(of words: ArraySlice<String>, in command: CommandDeclaration) {
            let current = words.last ?? ""
            var isBehindDashes = false
            var pending: OptionDeclaration?
            for word in words.dropLast() {
                if pending != nil {
                    pending = nil
                } else if word == "--" {
                    isBehindDashes = true
                    break
                } else {
                    pending = Self.pending(behind: word, in: command)
                }
            }
            let operands = Place.value(command.operands?.candidates ?? .none, behind: "")
            if let value = pending?.value {
                self = .value(value.candidates, behind: "")
            } else if isBehindDashes || !current.hasPrefix("-") {
                self = operands
            } else if let parts = current.splitAtEqualsSign, let value = command.option(parts.name)?.value {
                self = .value(value.candidates, behind: parts.name + "=")
            } else {
                self = current == "-" || current.hasPrefix("--") ? .option : operands
            }
        }

        /// The option whose value must follow `word`; `nil` if no value must follow.
        private static func pending(behind word: String, in command: CommandDeclaration) -> OptionDeclaration? {
            let option: OptionDeclaration?
            if word.hasPrefix("--") {
                option = command.option(word)
            } else if word.hasPrefix("-"), let letter = word.last {
                // If an earlier letter takes a value, the rest of the word is that value.
                let letters = word.dropFirst().dropLast()
                option = letters.contains { command.option($0)?.value != nil } ? nil : command.option(letter)
            } else {
                option = nil
            }
            return option?.value == nil ? nil : option
        }
    }
}
