internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Lines of assigned visitors that are being written, and room for their parts.
struct AssignmentLines {
    var json = JSONBytes(capacity: 0)
    /// The members of the line's reasons, which stand behind all decisions.
    private var reasons = JSONBytes(capacity: 0)
    /// How reasons are spelled, which asking the type takes longer than a decision.
    private var spellings: [Decision.Reason: String] = [:]

    mutating func beginReasons() { reasons.removeAll() }

    /// Appends why `decision` is as it is, as the member that `name` begins.
    mutating func appendReason(for decision: Decision, named name: ArraySlice<UInt8>, isFirst: Bool) {
        if !isFirst { reasons.append(",") }
        name.withUnsafeBufferPointer { reasons.append(json: $0) }
        if let variation = decision.variation { return reasons.append(quoting: variation.source.rawValue) }
        guard let reason = decision.reason else { return reasons.append("null") }
        let spelling = spellings[reason] ?? "\(reason)"
        spellings[reason] = spelling
        reasons.append(quoting: spelling)
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
