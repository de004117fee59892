internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Lines of assigned visitors that are being written, and room for their parts.
struct AssignmentLines {
    var json = JSONBytes(capacity: 0)
    /// The members of the line's reasons, which stand behind all decisions.
    private var reasons = JSONBytes(capacity: 0)

    mutating func beginReasons() { reasons.removeAll() }

    /// Appends why an experience came to `conclusion`, as the member that `name` begins.
    mutating func appendReason(for conclusion: Conclusion, named name: ArraySlice<UInt8>, isFirst: Bool) {
        if !isFirst { reasons.append(",") }
        reasons.append(json: name)
        reasons.append(quoting: conclusion.reason)
    }

    mutating func appendReasons() {
        json.append(#","reasons":{"#)
        json.append(json: reasons.bytes)
        json.append("}")
    }

    /// Appends the line of a record that is no visitor.
    mutating func append(_ error: PopulationVisitorError) {
        json.append(#"{"error":"#)
        json.append(quoting: error.description)
        json.append("}\n")
    }
}

extension Conclusion {
    /// Where the variation comes from, or why the visitor has no variation.
    var reason: String {
        switch self {
        case .variation(let selection): selection.source.rawValue
        case .none(let reason): reason.rawValue
        }
    }
}

extension JSONBytes {
    /// Appends `text` as a cell of CSV (RFC 4180), which is quoted if it is empty or holds a comma, a quotation mark or
    /// the end of a line.
    mutating func append(cell text: String) {
        text.withUTF8Bytes { bytes in
            guard bytes.isEmpty || bytes.contains(where: Self.endsCell) else { return append(json: bytes) }
            append("\"")
            for byte in bytes { append(repeating: byte, count: byte == UInt8(ascii: "\"") ? 2 : 1) }
            append("\"")
        }
    }

    private static func endsCell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}
