extension ECMAScript {
    /// `parseFloat` (ECMA-262 §19.2.4): the Number of the longest decimal literal at the start of `text`, after white
    /// space; NaN if there is no literal. Text after the literal is ignored. Other radixes are not recognized.
    public static func parseFloat(_ text: String) -> Double {
        text.withUTF8Bytes { parseFloat(utf8: $0) }
    }

    /// ``parseFloat(_:)`` of a text given as UTF-8.
    static func parseFloat(utf8: ByteText) -> Double {
        let start = endOfWhiteSpace(in: utf8)
        return DecimalLiteral(prefixOf: utf8.slice(start..<utf8.count))?.value ?? .nan
    }
}
