public import ConvertECMAScript

/// One rule: a condition, and the consequences for events that meet it.
public struct MobileRule: Sendable {
    /// The condition.
    public let condition: Condition
    /// The consequences in order, with their tokens. Malformed consequences are left out.
    public let consequences: [Consequence]
    /// Additional information about the rule from the document.
    public let meta: JSObject?
}

extension MobileRule {
    /// Reads a rule. Throws if a required member is missing, or if anything in the condition has the wrong type.
    init(_ cursor: JSONCursor, _ reader: inout RulesReader) throws(DocumentFault) {
        reader.checkNames(of: try cursor.asObject(), as: .rule)
        condition = try Condition(cursor.required(.condition), &reader)
        meta = try cursor.present(.meta)?.asMembers()
        if let meta = cursor.present(.meta) { reader.checkNames(of: meta, as: .meta) }
        var kept: [Consequence] = []
        for element in try cursor.required(.consequences).asArray().elements {
            reader.checkNames(of: try element.asObject(), as: .consequence)
            switch ConsequenceOrFault(element) {
            case .consequence(let consequence, let detail):
                kept.append(consequence)
                reader.checkNames(ofDetail: detail, of: consequence)
                reader.checkTokens(in: detail)
            case .fault(let reason):
                reader.warn("this consequence is left out: \(reason).", at: element)
            }
        }
        consequences = kept
    }
}

/// A consequence, or why an object is not a valid consequence.
private enum ConsequenceOrFault {
    case consequence(Consequence, detail: JSONCursor)
    case fault(String)

    init(_ cursor: JSONCursor) {
        guard let id = cursor[.id]?.text else {
            self = .fault("its id is missing or not text")
            return
        }
        guard let type = cursor[.type]?.text else {
            self = .fault("its type is missing or not text")
            return
        }
        guard let detail = cursor[.detail], detail.isObject else {
            self = .fault("its detail is missing or not an object")
            return
        }
        if detail.firstInfiniteNumber != nil {
            self = .fault("its detail has a number beyond what a double can hold")
            return
        }
        let members = detail.value.objectValue ?? JSObject()
        self = .consequence(Consequence(id: id, type: type, detail: members), detail: detail)
    }
}

extension RulesReader {
    /// Checks the detail of a consequence for misspelt members.
    fileprivate mutating func checkNames(ofDetail detail: JSONCursor, of consequence: Consequence) {
        guard let kind = DocumentObject(detailOf: consequence.type) else { return }
        checkNames(of: detail, as: kind)
        if kind == .schema, consequence.detail["schema"]?.stringValue == ConsequenceRun.historySchema,
            let data = detail["data"]
        {
            checkNames(of: data, as: .historyOperation)
        }
    }
}
