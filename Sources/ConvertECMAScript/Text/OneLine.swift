extension String {
    /// The text on one line, with all characters visible.
    ///
    /// Control characters, line separators and invisible characters, such as marks that change the text direction, are
    /// escaped like `\u{202E}`. Joiners and variation selectors are kept if an emoji or a script needs them. Applying
    /// the property twice equals applying it once.
    package var onOneLine: String {
        guard utf8.contains(where: \.mayBeginHiddenScalar) else { return self }
        return escapingHiddenScalars { $0.escaped(asASCII: true) }
    }

    /// This JSON text with JSON escapes for the characters that ``onOneLine`` escapes. The result parses to the same
    /// value. Line breaks are kept, because JSON has them only between tokens.
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
    /// Whether the UTF-8 of a hidden scalar can begin with this byte. Most texts have no such byte.
    fileprivate var mayBeginHiddenScalar: Bool {
        switch self {
        case 0..<0x20, 0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar controls a terminal, ends a line, or is invisible.
    fileprivate var isHidden: Bool {
        switch value {
        case 0x20..<0x7f: false
        // Controls, line and paragraph separators, and annotation marks.
        case ..<0xa0, 0x2028, 0x2029, 0xfff9...0xfffb: true
        // This includes all scalars that change the text direction, the byte order mark, and tags.
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a hidden scalar changes the appearance of the scalar before it: a single variation selector, or a joiner
    /// between characters that are not ASCII.
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
