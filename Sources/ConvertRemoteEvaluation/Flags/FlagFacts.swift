import ConvertECMAScript

/// The metadata of a variation's evaluations, as a value and as JSON. Computed once for each config, because every
/// evaluation shows it.
struct FlagFacts: Sendable {
    private static let experienceID: PropertyKey = "experienceId"
    private static let experienceKey: PropertyKey = "experienceKey"
    private static let variationID: PropertyKey = "variationId"
    private static let configRevision: PropertyKey = "configRevision"

    let variationID: String
    let metadata: JSObject
    let json: [UInt8]

    init(experienceID: String, experienceKey: String?, variationID: String, revision: String?) {
        self.variationID = variationID
        var metadata = JSObject()
        metadata[Self.experienceID] = .string(experienceID)
        metadata[Self.experienceKey] = experienceKey.map { .string($0) }
        metadata[Self.variationID] = .string(variationID)
        metadata[Self.configRevision] = revision.map { .string($0) }
        self.metadata = metadata
        var json = JSONBytes(capacity: 160)
        json.append(members: metadata)
        self.json = json.bytes
    }
}

extension JSONBytes {
    /// Appends an object.
    mutating func append(members object: JSObject) {
        append("{")
        for (place, member) in object.enumerated() {
            if place > 0 { append(",") }
            append(quoting: member.key)
            append(":")
            append(value: member.value)
        }
        append("}")
    }
}
