internal import ConvertECMAScript

/// A class of characters that another engine computes from two classes, such as `[a-z&&[^aeiou]]` in Java or
/// `[\w--[0-9]]` with JavaScript's flag `v`.
struct ClassOperation {
    /// The foreign operator.
    let sign: String
    /// An equivalent class, for ASCII characters.
    let translation: String
    /// The index after the class.
    let end: Substring.Index

    private static let printable = (0x20...0x7e).map { String(Unicode.Scalar(UInt8($0))) }

    /// - Parameter rest: the pattern after the opening bracket.
    init?(_ rest: Substring) {
        var rest = rest
        guard let first = Self.operand(&rest), rest.hasPrefix("&&") || rest.hasPrefix("--") else { return nil }
        let isIntersection = rest.hasPrefix("&&")
        rest = rest.dropFirst(2)
        guard rest.first == "[" || rest.first == "\\", let second = Self.operand(&rest), rest.first == "]",
            let one = try? RegExp("^\(first)$", flags: ""), let other = try? RegExp("^\(second)$", flags: "")
        else { return nil }
        let members = Self.printable.filter { character in
            let (isInOne, isInOther) = ((try? one.test(character)) ?? false, (try? other.test(character)) ?? false)
            return isInOne && isInOther == isIntersection
        }
        sign = isIntersection ? "[…&&[…]]" : "[…--[…]]"
        let escaped = members.map { character in
            character.allSatisfy { $0.isLetter || $0.isNumber } ? character : "\\\(character)"
        }
        translation = "[\(escaped.joined())]"
        end = rest.index(after: rest.startIndex)
    }

    /// Removes an operand from the front of `rest` and returns it as a class. An operand is a class in brackets, an
    /// escape, or the text before the operator.
    private static func operand(_ rest: inout Substring) -> String? {
        let isNested = rest.first == "["
        var text = isNested ? "" : "["
        var isOpen = true
        while isOpen, let character = rest.first {
            if !isNested, rest.hasPrefix("&&") || rest.hasPrefix("--") || character == "]" { break }
            if character == "[", !text.isEmpty, isNested || text != "[" { return nil }
            text.append(rest.removeFirst())
            if character == "\\", let escaped = rest.popFirst() { text.append(escaped) }
            isOpen = !(isNested && character == "]")
        }
        if !isNested { text += "]" }
        return text.count > 2 ? text : nil
    }
}
