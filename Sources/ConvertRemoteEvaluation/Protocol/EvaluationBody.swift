import ConvertECMAScript

/// The body of an evaluation request.
struct EvaluationBody {
    /// The member `context`.
    let context: EvaluationContext
    /// The other members.
    let others: JSObject

    private static let context: PropertyKey = "context"

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
        guard let context = root["context"], case .object(let members) = context.value else {
            throw FlagError(
                .invalidContext, #"the body has no object "context"; send {"context":{"targetingKey":"…"}}."#)
        }
        self.context = try EvaluationContext(members, limits)
        var others = JSObject()
        if root.count > 1 {
            for member in root.members {
                if let name = member.name, name != Self.context { others[name] = member.value }
            }
        }
        self.others = others
    }
}
