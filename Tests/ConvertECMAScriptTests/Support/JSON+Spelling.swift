import ConvertECMAScript

/// Spells a value so that two values are spelled alike exactly if no program could tell them apart: the order of
/// members, the sign of zero and the code units of texts count.
func spelling(of cursor: JSONCursor) -> String {
    switch cursor.kind {
    case .null: "null"
    case .bool: "\(cursor.bool == true)"
    case .number: spelling(of: cursor.number ?? .nan)
    case .text: spelling(of: cursor.key?.codeUnits ?? [])
    case .array: "[" + cursor.elements.map { spelling(of: $0) }.joined(separator: ",") + "]"
    case .object:
        "{"
            + cursor.members.map { spelling(of: $0.name?.codeUnits ?? []) + ":" + spelling(of: $0) }.joined(
                separator: ",")
            + "}"
    }
}

/// As ``spelling(of:)-(JSONCursor)``.
func spelling(of value: JSValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .integer(let integer): spelling(of: Double(integer))
    case .number(let number): spelling(of: number)
    case .string(let text): spelling(of: Array(text.utf16))
    case .illFormedString(let text): spelling(of: text.codeUnits)
    case .array(let elements): "[" + elements.map { spelling(of: $0) }.joined(separator: ",") + "]"
    case .object(let object):
        "{" + object.map { spelling(of: $0.key.codeUnits) + ":" + spelling(of: $0.value) }.joined(separator: ",") + "}"
    }
}

func spelling(of number: Double) -> String { "#" + String(number.bitPattern, radix: 16) }

func spelling(of units: [UInt16]) -> String {
    "'" + units.map { String($0, radix: 16) }.joined(separator: " ") + "'"
}

/// The spelling of what `bytes` hold, or `nil` if they are refused.
func parsedSpelling(of bytes: [UInt8]) -> String? {
    bytes.withElements { bytes in
        try? ECMAScript.parseJSON(bytes).withRoot { spelling(of: $0) }
    }
}
