internal import ConvertECMAScript

/// A piece of an HTML document, in which every text is escaped.
///
/// Markup is written as a literal; what is put into it by interpolation is text, unless it is HTML already.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var source: String

    init(stringLiteral source: String) { self.source = source }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    /// Pieces one after the other.
    init(_ pieces: some Sequence<HTML>) { source = pieces.map(\.source).joined(separator: "\n") }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { source += literal }

        mutating func appendInterpolation(_ html: HTML) { source += html.source }

        mutating func appendInterpolation(_ number: Int) { source += String(number) }

        /// Adds text, for contents and for attributes in double quotes.
        mutating func appendInterpolation(_ text: String) {
            // Controls are no characters of HTML, and what changes the direction of text would act on its surroundings.
            for scalar in text.onOneLine.unicodeScalars {
                switch scalar {
                case "&": source += "&amp;"
                case "<": source += "&lt;"
                case ">": source += "&gt;"
                case "\"": source += "&quot;"
                case "'": source += "&#39;"
                default: source.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
