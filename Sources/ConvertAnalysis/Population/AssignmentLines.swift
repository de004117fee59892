internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A buffer for the lines of assigned visitors, with buffers for parts of a line.
struct AssignmentLines {
    var json = JSONBytes(capacity: 0)
    /// The members with the line's reasons, which follow all decisions.
    private var reasons = JSONBytes(capacity: 0)

    mutating func beginReasons() { reasons.removeAll() }

    /// Appends the reason for a decision's `conclusion`, as a member whose name begins with `name`.
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

    /// Appends the line of an invalid record.
    mutating func append(_ error: PopulationVisitorError) {
        json.append(#"{"error":"#)
        json.append(quoting: error.description)
        json.append("}\n")
    }
}

extension Conclusion {
    /// The source of the variation, or the reason for having no variation.
    var reason: String {
        switch self {
        case .variation(let selection): selection.source.rawValue
        case .none(let reason): reason.rawValue
        }
    }
}

extension JSONBytes {
    /// Appends `text` as a cell of CSV (RFC 4180). The cell is quoted if it is empty or contains a comma, a quotation
    /// mark or a line break.
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
