/// Classes of characters that look like alternatives, such as `[de|at]`, and ranges with more than letters between
/// their ends, such as `[A-z]`.
enum ClassShape {
    /// The pattern with what such classes probably mean; `nil` if it has none.
    static func corrected(_ pattern: String) -> String? {
        var result = ""
        var rest = Substring(pattern)
        while let character = rest.popFirst() {
            if character == "\\", let escaped = rest.popFirst() {
                result += "\\\(escaped)"
            } else if character == "[" {
                guard let end = rest.firstIndex(of: "]") else {
                    result += "[" + rest
                    break
                }
                let members = rest[..<end]
                rest = rest[rest.index(after: end)...]
                result += correctedClass(members, isRepeated: rest.first.map("*+?{".contains) ?? false)
            } else {
                result.append(character)
            }
        }
        return result == pattern ? nil : result
    }

    private static func correctedClass(_ members: Substring, isRepeated: Bool) -> String {
        let words = members.split(separator: "|", omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { $0.count > 1 && $0.allSatisfy { $0.isLetter || $0.isNumber } }
        if words.count > 1, areWords, !isRepeated { return "(?:\(members))" }
        if members.contains("\\") { return "[\(members)]" }
        let ranges = members.split(separator: "A-z", omittingEmptySubsequences: false)
        return "[\(ranges.joined(separator: "A-Za-z"))]"
    }
}
