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
        name.withUnsafeBufferPointer { reasons.append(json: $0) }
        switch conclusion {
        case .variation(let selection): reasons.append(quoting: selection.source.rawValue)
        case .none(let reason): reasons.append(quoting: reason.rawValue)
        }
    }

    mutating func appendReasons() {
        json.append(#","reasons":{"#)
        reasons.bytes.withUnsafeBufferPointer { json.append(json: $0) }
        json.append("}")
    }

    /// Appends the line of a record that is no visitor, without its end.
    mutating func append(_ error: PopulationVisitorError) {
        json.append(#"{"error":"#)
        json.append(quoting: error.description)
        json.append("}")
    }
}
