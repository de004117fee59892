extension CompiledRegExp {
    /// EscapeRegExpPattern (ECMA-262, 22.2.6.13.1), as engines implement it: a slash outside a class and a line
    /// terminator are escaped, and the empty pattern becomes a group.
    var source: String {
        guard !pattern.isEmpty else { return "(?:)" }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        var isInClass = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "/" where !isEscaped && !isInClass:
                result.append(contentsOf: "\\/".unicodeScalars)
            case "\n", "\r", "\u{2028}", "\u{2029}":
                if !isEscaped { result.append("\\") }
                result.append(contentsOf: lineTerminatorEscape(scalar).unicodeScalars)
            default:
                result.append(scalar)
            }
            if isEscaped {
                isEscaped = false
            } else {
                switch scalar {
                case "\\": isEscaped = true
                case "[": isInClass = true
                case "]": isInClass = false
                default: break
                }
            }
        }
        return String(result)
    }
}

private func lineTerminatorEscape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "n"
    case "\r": "r"
    case "\u{2028}": "u2028"
    default: "u2029"
    }
}
