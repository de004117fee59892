public import ConvertECMAScript

/// One rule: a condition and what follows when an event meets it.
public struct MobileRule: Sendable {
    /// What must hold.
    public let condition: Condition
    /// What follows, in order, tokens not yet replaced. Malformed ones are left out.
    public let consequences: [Consequence]
    /// What the document adds about the rule.
    public let meta: JSObject?
}

extension MobileRule {
    /// Reads a rule; throws if a required member is missing or anything in the condition is of the wrong type.
    init(_ cursor: JSONCursor, _ reader: inout RulesReader) throws(DocumentFault) {
        condition = try Condition(cursor.asObject().required(.condition), depth: 0, &reader)
        meta = try cursor.present(.meta)?.asMembers()
        var kept: [Consequence] = []
        for element in try cursor.required(.consequences).asArray().elements {
            switch try ConsequenceOrFault(element.asObject()) {
            case .consequence(let consequence, let detail):
                kept.append(consequence)
                reader.checkTokens(in: detail)
            case .fault(let reason):
                reader.warn("this consequence is left out: \(reason).", at: element)
            }
        }
        consequences = kept
    }
}

/// A consequence, or why an object is none.
private enum ConsequenceOrFault {
    case consequence(Consequence, detail: JSONCursor)
    case fault(String)

    init(_ cursor: JSONCursor) {
        guard let id = cursor[.id]?.text else {
            self = .fault("its id is missing or no text")
            return
        }
        guard let type = cursor[.type]?.text else {
            self = .fault("its type is missing or no text")
            return
        }
        guard let detail = cursor[.detail], detail.isObject else {
            self = .fault("its detail is missing or no object")
            return
        }
        do {
            self = .consequence(Consequence(id: id, type: type, detail: try detail.asMembers()), detail: detail)
        } catch {
            self = .fault("its detail cannot be read: \(error.message)")
        }
    }
}
