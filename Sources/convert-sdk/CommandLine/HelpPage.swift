/// A command's help page, created from its declaration.
struct HelpPage {
    /// The maximum number of columns of a line, unless a single word is longer.
    private static let width = 110

    private let command: CommandDeclaration

    init(of command: CommandDeclaration) { self.command = command }

    /// The page, line by line.
    var lines: [String] {
        let options = command.allOptions
        let column = options.map(\.spelling.count).max() ?? 0
        var lines = ["convert-sdk \(command.name) \(command.usage)", ""]
        lines += Self.wrapped(command.discussion, indentedBy: 0)
        lines.append("")
        for option in options {
            let padding = String(repeating: " ", count: column - option.spelling.count + 2)
            let meaning = Self.wrapped(
                option.meaning + (option.isRepeatable ? "; may be repeated" : ""), indentedBy: column + 4)
            lines.append("  " + option.spelling + padding + (meaning.first?.dropFirst(column + 4) ?? ""))
            lines += meaning.dropFirst()
        }
        if let remarks = command.remarks { lines += [""] + Self.wrapped(remarks, indentedBy: 0) }
        return lines
    }

    private static func wrapped(_ text: String, indentedBy indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines = [margin]
            for word in paragraph.split(separator: " ") {
                let isFirst = lines[lines.count - 1].count == indentation
                if !isFirst, lines[lines.count - 1].count + 1 + word.count > width { lines.append(margin) }
                lines[lines.count - 1] += (lines[lines.count - 1].count == indentation ? "" : " ") + word
            }
            return lines
        }
    }
}
