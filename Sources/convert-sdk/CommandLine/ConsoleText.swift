import ConvertECMAScript

/// Text for people, parts of which may have a style.
///
/// Literals are printed as they are. Interpolated values are escaped to one line, so that no name or value in a config
/// can control the terminal or forge a line.
struct ConsoleText: ExpressibleByStringInterpolation, Sendable {
    /// The printed text.
    private(set) var source: String

    init(stringLiteral source: String) { self.source = source }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    /// Creates `text` with `style`, if the output shows colors.
    fileprivate init(_ text: String, _ style: TextStyle) {
        source = Console.hasColors ? "\u{1b}[\(style.rawValue)m\(text.onOneLine)\u{1b}[0m" : text.onOneLine
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { source += literal }

        mutating func appendInterpolation(_ text: ConsoleText) { source += text.source }

        mutating func appendInterpolation(_ number: Int) { source += String(number) }

        mutating func appendInterpolation(_ text: String) { source += text.onOneLine }
    }
}

/// The style of text on a terminal.
enum TextStyle: String {
    case bold = "1"
    case good = "32"
    case bad = "31"
    case doubtful = "33"
}

extension String {
    /// The text with `style` if the output shows colors, and as it is otherwise.
    func styled(_ style: TextStyle) -> ConsoleText { ConsoleText(self, style) }
}
