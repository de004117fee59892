extension String {
    /// The text on one line: control characters and line separators, which could forge a line of output, are escaped.
    package var onOneLine: String {
        unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: line += scalar.escaped(asASCII: true)
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}
