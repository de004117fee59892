internal import ConvertECMAScript

/// A piece of an HTML document, in which every text is escaped.
///
/// Literals are markup. Interpolated values are text and get escaped, unless they are HTML.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var source: String

    init(stringLiteral source: String) { self.source = source }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    /// Joins pieces.
    init(_ pieces: some Sequence<HTML>) { source = pieces.map(\.source).joined(separator: "\n") }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { source += literal }

        mutating func appendInterpolation(_ html: HTML) { source += html.source }

        mutating func appendInterpolation(_ number: Int) { source += String(number) }

        /// Adds escaped text, for contents and for attributes in double quotes.
        mutating func appendInterpolation(_ text: String) {
            // HTML does not allow control characters, and marks of text direction would affect the surrounding text.
            for scalar in text.onOneLine.unicodeScalars {
                source.append(markup: scalar)
            }
        }
    }
}

extension String {
    /// Appends a character that HTML and XML show as it is, in contents and in attributes in quotes.
    package mutating func append(markup scalar: Unicode.Scalar) {
        switch scalar {
        case "&": self += "&amp;"
        case "<": self += "&lt;"
        case ">": self += "&gt;"
        case "\"": self += "&quot;"
        case "'": self += "&#39;"
        default: unicodeScalars.append(scalar)
        }
    }
}
