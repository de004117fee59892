import ConvertECMAScript
import ConvertSwiftSDKCore

/// Rule graphs, read off their JSON at each evaluation.
struct NaiveRules {
    let semantics: RuleSemantics
    let keysAreCaseSensitive: Bool

    /// A `null` stands where the reference reads a member.
    struct Thrown: Error {}

    /// Whether `attributes` pass the graph: any block, every clause, any leaf (every one under `.flat`).
    func pass(_ graph: JSValue, _ attributes: JSObject) throws -> Bool {
        for block in list("OR", of: graph) where try passes(block: block, attributes) { return true }
        return false
    }

    private func passes(block: JSValue, _ attributes: JSObject) throws -> Bool {
        if block.isNull { throw Thrown() }
        let clauses = list("AND", of: block)
        for clause in clauses where try !passes(clause: clause, attributes) { return false }
        return !clauses.isEmpty
    }

    private func passes(clause: JSValue, _ attributes: JSObject) throws -> Bool {
        if clause.isNull { throw Thrown() }
        let leaves = list("OR_WHEN", of: clause)
        if semantics != .flat { return try leaves.contains { try holds($0, attributes) } }
        return try !leaves.isEmpty && leaves.allSatisfy { try holds($0, attributes) }
    }

    private func list(_ name: String, of value: JSValue) -> [JSValue] { value.objectValue?[name]?.arrayValue ?? [] }

    private func holds(_ leaf: JSValue, _ attributes: JSObject) throws -> Bool {
        if leaf.isNull || leaf.objectValue?["matching"]?.isNull == true { throw Thrown() }
        guard let leaf = leaf.objectValue, let matching = leaf["matching"]?.objectValue,
            let name = matching["match_type"]?.stringValue, let negated = matching["negated"]?.boolValue,
            leaf["value"] != nil || needsNoValue(name)
        else { return false }
        var key = leaf["key"]?.stringValue
        if key == nil, semantics != .javaScript {
            if let malformed = leaf["key"], !malformed.isNull { return false }
            key = leaf["rule_type"]?.stringValue
        }
        let attribute = key.flatMap { value(of: $0, attributes) }
        switch NaiveComparison(semantics: semantics).answer(name, attribute, leaf["value"]) {
        case .yes: return !negated
        case .no: return negated
        case .closed: return false
        }
    }

    private func needsNoValue(_ name: String) -> Bool {
        switch name {
        case "exists", "doesNotExist": true
        case "not_exists": semantics != .javaScript
        case "ex", "nx": semantics == .standard
        default: false
        }
    }

    private func value(of key: String, _ attributes: JSObject) -> JSValue? {
        // To the reference such attributes are an object that answers for itself, and has no answers.
        if semantics == .javaScript, case .string("RuleData")? = attributes["name"] { return nil }
        if keysAreCaseSensitive || semantics == .javaScript { return attributes[key] }
        let wanted = PropertyKey(ECMAScript.toLowerCase(key))
        let names = attributes.map(\.key.name).filter { PropertyKey(ECMAScript.toLowerCase($0)) == wanted }
        return names.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }.flatMap { attributes[$0] }
    }
}
