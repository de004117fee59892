extension String {
    /// The text on one line that shows everything it holds.
    ///
    /// Control characters, line separators and characters that are not shown, such as those that change the direction of
    /// text, are escaped, as `\u{202E}`. Joiners and variation selectors stay where an emoji or a script needs them.
    /// Applying it twice changes nothing more.
    package var onOneLine: String {
        guard utf8.contains(where: \.mayBeginHiddenScalar) else { return self }
        return escapingHiddenScalars { $0.escaped(asASCII: true) }
    }

    /// JSON text, escaped as JSON does it where ``onOneLine`` escapes: it reads as the same value. Line breaks stay, which
    /// JSON has between its tokens only.
    package var visibleJSON: String {
        guard utf8.contains(where: { $0.mayBeginHiddenScalar && $0 != UInt8(ascii: "\n") }) else { return self }
        return escapingHiddenScalars { scalar in
            if scalar == "\n" { return "\n" }
            return Character(scalar).utf16.reduce(into: "") { text, unit in
                text += JSONEscape.spelling(of: unit)
            }
        }
    }

    private func escapingHiddenScalars(_ escape: (Unicode.Scalar) -> String) -> String {
        var text = ""
        var former: Unicode.Scalar?
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if !scalar.isHidden || scalar.isNeeded(between: former, rest.first) {
                text.unicodeScalars.append(scalar)
                former = scalar
            } else {
                text += escape(scalar)
                former = nil
            }
        }
        return text
    }
}

extension UInt8 {
    /// Whether the UTF-8 of a hidden scalar begins with the byte; in most texts no byte is one of them.
    fileprivate var mayBeginHiddenScalar: Bool {
        switch self {
        case 0..<0x20, 0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar commands a terminal, ends a line, or is not shown by itself.
    fileprivate var isHidden: Bool {
        switch value {
        case 0x20..<0x7f: false
        // Controls, line and paragraph separator, and marks of annotations.
        case ..<0xa0, 0x2028, 0x2029, 0xfff9...0xfffb: true
        // Among them are all that change the direction of text, the byte order mark, and tags.
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a hidden scalar changes how the one before it looks: a single variation selector, or a joiner between
    /// characters beyond ASCII.
    fileprivate func isNeeded(between former: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        guard let former else { return false }
        if properties.isVariationSelector {
            return !former.isHidden && (!former.isASCII || former.properties.isEmoji)
        }
        guard value == 0x200c || value == 0x200d, let next else { return false }
        let isBehindCharacter = !former.isASCII && (!former.isHidden || former.properties.isVariationSelector)
        return isBehindCharacter && !next.isASCII && !next.isHidden
    }
}
