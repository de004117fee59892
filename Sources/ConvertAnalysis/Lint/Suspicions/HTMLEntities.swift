internal import ConvertECMAScript

/// Decodes characters in HTML's notation.
enum HTMLEntities {
    /// The names of U+00A0 to U+00FF, in order.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
    private static let others: [String: Unicode.Scalar] = [
        "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&", "OElig": "Œ", "oelig": "œ", "Scaron": "Š",
        "scaron": "š", "Yuml": "Ÿ", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“",
        "rdquo": "”", "bdquo": "„", "hellip": "…", "euro": "€", "trade": "™", "bull": "•", "lsaquo": "‹", "rsaquo": "›",
        "permil": "‰", "larr": "←", "rarr": "→", "minus": "−", "dagger": "†",
    ]
    private static let names: [String: Unicode.Scalar] = {
        var names = others
        for (offset, name) in latin.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
        }
        // People see it as a blank.
        names["nbsp"] = " "
        return names
    }()

    /// The text with decoded characters, written as `&eacute;`, `&#233;` or `&#xE9;`; `nil` if it contains no such
    /// notation.
    static func decoded(_ text: String) -> String? {
        guard text.contains("&"), text.contains(";") else { return nil }
        var result = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "&", let end = rest.prefix(10).firstIndex(of: ";"), let plain = character(rest[..<end]) {
                result.append(plain)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(scalar)
            }
        }
        let plain = String(result)
        return plain.hasSameCodeUnits(as: text) ? nil : plain
    }

    private static func character(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        let text = String(Substring(name))
        guard text.hasPrefix("#") else { return names[text] }
        let digits = text.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        return UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }
}
