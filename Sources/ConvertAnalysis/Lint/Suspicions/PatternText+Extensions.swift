extension PatternText {
    private static let fileExtensions: Set<String> = [
        "pdf", "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "js", "mjs", "css", "json", "xml", "csv", "txt",
        "jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "ico", "zip", "gz", "tar", "mp3", "mp4", "webm", "doc",
        "docx", "xls", "xlsx", "ppt", "pptx", "apk", "exe", "dmg",
    ]

    /// The pattern with a backslash before each point that begins the extension of a file, as in `.*.pdf`; `nil` if it
    /// has no such point.
    ///
    /// `index.php` anywhere in an address seldom matches another text. The point counts if something repeated stands
    /// before it, or if the extension ends what the pattern matches.
    var withEscapedExtensions: String? {
        rewritten { index in
            guard characters[index] == ".", let isClosed = isExtensionLast(behind: index) else { return nil }
            let isOpen = self[index - 1].map { "*+?})]".contains($0) } ?? false
            let isName = self[index - 1].map { $0.isLetter || $0.isNumber || "_-".contains($0) } ?? false
            return isOpen || isClosed && (isName || index == 0) ? ("\\.", 1) : nil
        }
    }

    /// Whether an end of the text must follow the extension behind a point; `nil` if no extension follows it.
    private func isExtensionLast(behind point: Int) -> Bool? {
        var end = point + 1
        if self[end] == "(" {
            guard let close = characters[end...].firstIndex(of: ")") else { return nil }
            var inner = characters[(end + 1)..<close]
            if inner.starts(with: "?:") { inner = inner.dropFirst(2) }
            let names = inner.split(separator: "|", omittingEmptySubsequences: false)
            guard names.count > 1, names.allSatisfy({ Self.fileExtensions.contains(String($0).lowercased()) }) else {
                return nil
            }
            end = close + 1
        } else {
            let name = characters[end...].prefix { $0.isLetter || $0.isNumber }
            guard Self.fileExtensions.contains(String(name).lowercased()) else { return nil }
            end = name.endIndex
        }
        switch self[end] {
        case nil: return false
        case "$": return true
        // A letter that is optional, as in `.html?`, or the end of an alternative.
        case "?": return self[end + 1] == "$"
        case ")", "|": return characters[end...].contains("$")
        case "\\": return self[end + 1].map { "?#".contains($0) } ?? false ? true : nil
        default: return nil
        }
    }

    /// The pattern with a backslash before each point between digits, as in `^10.0.0.1$`; `nil` if fewer than two
    /// points stand side by side between digits.
    var withEscapedNumbers: String? {
        var points: Set<Int> = []
        var run: [Int] = []
        for index in characters.indices where isPlain(index) {
            let character = characters[index]
            if character == ".", self[index - 1]?.isWholeNumber ?? false, self[index + 1]?.isWholeNumber ?? false {
                run.append(index)
            } else if !character.isWholeNumber {
                if run.count > 1 { points.formUnion(run) }
                run = []
            }
        }
        if run.count > 1 { points.formUnion(run) }
        return points.isEmpty ? nil : rewritten { points.contains($0) ? ("\\.", 1) : nil }
    }
}
