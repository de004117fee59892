internal import ConvertECMAScript

/// The rule types that the Swift SDK 2.0 documents. Under ``RuleSemantics/flat``, leaves of other types never match.
package enum DocumentedRuleTypes {
    /// Whether `ruleType` is documented; `false` for `nil`.
    static func contains(_ ruleType: String?) -> Bool { ruleType.map { names.contains(PropertyKey($0)) } ?? false }

    private static let names = Set((texts + numbers + flags + keyed + others).map { PropertyKey($0) })

    private static let texts = [
        "url", "url_with_query", "query_string", "campaign", "keyword", "medium", "source_name", "city", "region",
        "browser_version", "user_agent", "page_tag_page_type", "page_tag_category_id", "page_tag_category_name",
        "page_tag_product_sku", "page_tag_product_name", "page_tag_customer_id", "page_tag_custom_1",
        "page_tag_custom_2", "page_tag_custom_3", "page_tag_custom_4", "visitor_id",
    ]

    /// Those of attributes that are numbers.
    package static let numbers = [
        "avg_time_page", "days_since_last_visit", "pages_visited_count", "visit_duration", "visits_count",
        "page_tag_product_price",
    ]

    /// Those of attributes that are booleans.
    package static let flags = ["is_desktop", "is_mobile", "is_tablet"]

    private static let keyed = ["generic_text_key_value", "generic_numeric_key_value", "generic_bool_key_value"]

    private static let others = ["country", "cookie", "language", "browser_name", "os"]
}
