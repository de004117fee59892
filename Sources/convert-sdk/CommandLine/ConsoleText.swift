import ConvertECMAScript

/// Text for people, parts of which may have a style.
///
/// What stands in a literal is printed as it is. What is put into it by interpolation is shown on one line, whatever it
/// holds, so that no name or value of a config commands a terminal or forges a line.
struct ConsoleText: ExpressibleByStringInterpolation, Sendable {
    /// The text as it is printed.
    private(set) var source: String

    init(stringLiteral source: String) { self.source = source }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    /// `text` in `style` where the output shows colours.
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

/// How text is to look on a terminal.
enum TextStyle: String {
    case bold = "1"
    case good = "32"
    case bad = "31"
    case doubtful = "33"
}

extension String {
    /// The text in `style` where the output shows colours, as it is elsewhere.
    func styled(_ style: TextStyle) -> ConsoleText { ConsoleText(self, style) }
}
