import ConvertECMAScript

/// An OpenFeature evaluation context, divided into the parts that decisions use.
struct EvaluationContext {
    /// The visitor's id: the member `targetingKey`.
    let visitorID: String
    /// The properties of the visitor's location, if the context has the member `location`.
    let location: JSObject?
    /// Whether an evaluation reports the visitor's exposure, according to the context.
    let reportsExposure: Bool
    /// The variation to preview, as `experience.variation`, by ids.
    let preview: String?
    /// All other members.
    let attributes: JSObject

    private static let targetingKey: PropertyKey = "targetingKey"
    private static let location: PropertyKey = "location"
    private static let convertExposure: PropertyKey = "convertExposure"
    private static let convertPreview: PropertyKey = "convertPreview"

    /// Divides the members of a context.
    ///
    /// - Throws: ``FlagError`` if a member is missing or invalid.
    init(_ members: JSObject, _ limits: RemoteEvaluationConfiguration.Limits) throws(FlagError) {
        var members = members
        let visitorID = try members.take(Self.targetingKey, as: "a well-formed string", \.stringValue)
        location = try members.take(Self.location, as: "an object of properties", \.objectValue)
        reportsExposure = try members.take(Self.convertExposure, as: "a Boolean", \.boolValue) ?? true
        preview = try members.take(Self.convertPreview, as: "a well-formed string", \.stringValue)
        guard let visitorID, !visitorID.isEmpty else {
            throw FlagError(
                .targetingKeyMissing, "the context has no targetingKey; give the visitor's id, which decides by hash.")
        }
        guard visitorID.utf8.count <= limits.keyLength else {
            throw FlagError(
                .invalidContext, "the context's targetingKey is longer than \(limits.keyLength) bytes.")
        }
        self.visitorID = visitorID
        attributes = members
    }
}

extension JSObject {
    /// Removes a reserved member and returns its value; `nil` if there is no such member.
    ///
    /// - Parameters:
    ///   - expected: the member's type, in words.
    ///   - read: returns the value in that type; `nil` if it has another type.
    /// - Throws: ``FlagError`` if the value has another type.
    fileprivate mutating func take<Value>(
        _ key: PropertyKey, as expected: String, _ read: (JSValue) -> Value?
    ) throws(FlagError) -> Value? {
        guard let value = self[key] else { return nil }
        self[key] = nil
        guard let member = read(value) else {
            throw FlagError(.invalidContext, "the context's \(key.text) is not \(expected).")
        }
        return member
    }
}
