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
        if semantics == .flat, !isDocumented(leaf["rule_type"]) { return false }
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

    /// Whether the document of the flat model evaluates leaves of the type.
    private func isDocumented(_ type: JSValue?) -> Bool {
        guard let type = type?.stringValue else { return false }
        switch type {
        case "url", "url_with_query", "query_string", "campaign", "keyword", "medium", "source_name", "city", "region",
            "browser_version", "user_agent", "visitor_id", "country", "cookie", "language", "browser_name", "os",
            "avg_time_page", "days_since_last_visit", "pages_visited_count", "visit_duration", "visits_count",
            "is_desktop", "is_mobile", "is_tablet", "generic_text_key_value", "generic_numeric_key_value",
            "generic_bool_key_value", "page_tag_page_type", "page_tag_category_id", "page_tag_category_name",
            "page_tag_product_sku", "page_tag_product_name", "page_tag_product_price", "page_tag_customer_id",
            "page_tag_custom_1", "page_tag_custom_2", "page_tag_custom_3", "page_tag_custom_4":
            return true
        default: return false
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
