import ConvertECMAScript

/// The body of an evaluation request: the context, divided into the parts that decisions use.
struct EvaluationBody {
    /// The visitor's id: the context's `targetingKey`.
    let visitorID: String
    /// All other members of the context.
    let attributes: JSObject
    /// The context's member `location`, if it has one.
    let location: JSObject?
    /// Whether the evaluation reports the visitor's exposure, according to the request.
    let reportsExposure: Bool
    /// The variation to preview, as `experience.variation`, by ids.
    let preview: String?
    /// The members of the body other than the context.
    let others: JSObject

    private static let context: PropertyKey = "context"
    private static let targetingKey: PropertyKey = "targetingKey"
    private static let location: PropertyKey = "location"
    private static let convertExposure: PropertyKey = "convertExposure"
    private static let convertPreview: PropertyKey = "convertPreview"

    /// Reads a body.
    ///
    /// - Throws: ``FlagError`` if the body is not JSON, or if a part of its context is missing or invalid.
    init(_ bytes: [UInt8], limits: RemoteEvaluationConfiguration.Limits) throws(FlagError) {
        let document: JSONDocument
        do {
            document = try bytes.withElements { bytes throws(JSONSyntaxError) in
                try ECMAScript.parseJSON(bytes, limits: limits.json)
            }
        } catch {
            throw FlagError(.parseError, "the body is not JSON within the limits: \(error)")
        }
        self = try document.withRoot { (root) throws(FlagError) in try EvaluationBody(root, limits) }
    }

    private init(_ root: JSONCursor, _ limits: RemoteEvaluationConfiguration.Limits) throws(FlagError) {
        guard root.isObject else {
            throw FlagError(.parseError, #"the body is no object; send {"context":{"targetingKey":"…"}}."#)
        }
        guard let context = root["context"], case .object(var attributes) = context.value else {
            throw FlagError(
                .invalidContext, #"the body has no object "context"; send {"context":{"targetingKey":"…"}}."#)
        }
        var visitorID: String?
        if let value = attributes.take(Self.targetingKey) {
            guard case .string(let text) = value else {
                throw FlagError(.invalidContext, "the context's targetingKey is not a string.")
            }
            visitorID = text
        }
        if let value = attributes.take(Self.location) {
            guard case .object(let properties) = value else {
                throw FlagError(.invalidContext, "the context's location is not an object of properties.")
            }
            location = properties
        } else {
            location = nil
        }
        if let value = attributes.take(Self.convertExposure) {
            guard case .bool(let flag) = value else {
                throw FlagError(.invalidContext, "the context's convertExposure is not a Boolean.")
            }
            reportsExposure = flag
        } else {
            reportsExposure = true
        }
        if let value = attributes.take(Self.convertPreview) {
            guard case .string(let text) = value else {
                throw FlagError(.invalidContext, "the context's convertPreview is not a string.")
            }
            preview = text
        } else {
            preview = nil
        }
        guard let visitorID, !visitorID.isEmpty else {
            throw FlagError(
                .targetingKeyMissing, "the context has no targetingKey; give the visitor's id, which decides by hash.")
        }
        guard visitorID.utf8.count <= limits.keyLength else {
            throw FlagError(
                .invalidContext, "the context's targetingKey is longer than \(limits.keyLength) bytes.")
        }
        self.visitorID = visitorID
        self.attributes = attributes
        var others = JSObject()
        if root.count > 1 {
            for member in root.members {
                if let name = member.name, name != Self.context { others[name] = member.value }
            }
        }
        self.others = others
    }
}

extension JSObject {
    /// Removes a member and returns its value.
    fileprivate mutating func take(_ key: PropertyKey) -> JSValue? {
        guard let value = self[key] else { return nil }
        self[key] = nil
        return value
    }
}
