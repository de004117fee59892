/// The name of an attribute in the notation of a program or a template, such as `{country}` or `visitor.country`.
struct AttributeNotation {
    /// The name alone.
    let name: String
    /// The reason why the notation does not lead to the attribute.
    let reason: String
    /// Whether the notation counts only if the name alone is read elsewhere, because apps have such names too.
    let isUnsure: Bool

    private static let pathReason = "a dot in the name does not select a member of an object"
    private static let markReason = "the characters around it belong to the name"

    /// The marks of placeholders and texts.
    private static let marks = [
        ("{{", "}}"), ("${", "}"), ("#{", "}"), ("{", "}"), ("<%", "%>"), ("<", ">"), ("[[", "]]"), ("[", "]"),
        ("(", ")"), ("%", "%"), ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"), ("|", "|"),
    ]
    /// The names of objects that hold attributes in this SDK or in a browser.
    private static let objects: Set<String> = [
        "attributes", "attribute", "attrs", "properties", "props", "visitorproperties", "visitorattributes",
        "visitordata", "visitor", "customattributes", "customproperties", "this", "self", "window", "document",
        "locationproperties", "$",
    ]
    /// The names of objects by which apps also begin names of attributes.
    private static let commonObjects: Set<String> = [
        "user", "customer", "profile", "account", "session", "context", "ctx", "traits", "data", "custom", "event",
        "payload", "request", "req", "params", "person", "location", "page", "fields", "meta", "state", "props",
    ]
    /// The names with `$` that analytics services give visitors.
    private static let reserved: Set<String> = [
        "os", "os_version", "browser", "browser_version", "browser_language", "device", "device_id", "device_type",
        "device_name", "device_model", "model", "manufacturer", "brand", "carrier", "email", "phone", "name",
        "first_name", "last_name", "avatar", "created", "city", "region", "country_code", "timezone", "host",
        "pathname", "referrer", "referring_domain", "current_url", "user_id", "distinct_id", "group_id", "locale",
        "screen_height", "screen_width", "app_version", "app_build_number", "app_version_string", "lib",
        "lib_version", "radio", "wifi", "ip", "insert_id", "time", "search_engine", "source", "title",
        "raw_user_agent", "user_agent", "session_id", "window_id", "sent_at", "timestamp", "consent", "organization",
        "latitude", "longitude", "address1", "address2", "zip", "phone_number",
    ]

    /// `nil` for a name in no such notation.
    init?(_ text: String) {
        guard (3...120).contains(text.count) else { return nil }
        for (start, end) in Self.marks where text.hasPrefix(start) && text.hasSuffix(end) {
            guard text.count > start.count + end.count else { return nil }
            self.init(String(text.dropFirst(start.count).dropLast(end.count)).trimmed, Self.markReason)
            return
        }
        if let inner = Self.subscripted(text) {
            self.init(inner, "brackets lead into no object")
            return
        }
        for arrow in ["->", "?.", "::"] {
            let parts = text.split(separator: arrow, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count > 1 else { continue }
            self.init(String(parts[1]), "'\(arrow)' leads into no object", isUnsure: arrow == "::")
            return
        }
        for end in ["()", "[]", ":", "=", ";", ",", "?"] where text.hasSuffix(end) {
            self.init(String(text.dropLast(end.count)), Self.markReason, isUnsure: end == "[]" || end == "?")
            return
        }
        if let rest = Self.withoutObject(text) {
            self.init(rest.name, Self.pathReason, isUnsure: rest.isUnsure)
            return
        }
        switch text.first {
        case "$":
            let name = String(text.dropFirst())
            let isReserved = Self.reserved.contains(name) || name.hasPrefix("initial_") || name.hasPrefix("geoip_")
            self.init(name, Self.markReason, isUnsure: isReserved)
        case ":", ".", "=": self.init(String(text.dropFirst()), Self.markReason)
        case "@", "#", "~", "!", "-", "+": self.init(String(text.dropFirst()), Self.markReason, isUnsure: true)
        default: return nil
        }
    }

    private init?(_ name: String, _ reason: String, isUnsure: Bool = false) {
        let isName =
            name.first.map { $0.isLetter || $0 == "_" } ?? false
            && name.allSatisfy { $0.isLetter || $0.isNumber || "_-. ".contains($0) } && name.last != "."
        guard isName else { return nil }
        // A name in marks may also begin with an object.
        let rest = Self.withoutObject(name).flatMap { $0.isUnsure ? nil : $0.name }
        (self.name, self.reason, self.isUnsure) = (rest ?? name, reason, isUnsure)
    }

    /// The name in `attributes['country']`, `attributes[country]` or `get("country")`; `nil` for other texts.
    private static func subscripted(_ text: String) -> String? {
        guard let start = text.firstIndex(where: { "[(".contains($0) }), start > text.startIndex,
            let last = text.last, last == (text[start] == "[" ? "]" : ")")
        else { return nil }
        let inner = String(text[text.index(after: start)...].dropLast()).trimmed
        let object = text[..<start].lowercased().filter { !"_-$".contains($0) }
        if let name = inner.unquoted { return name }
        return text[start] == "[" && objects.contains(object) ? inner : nil
    }

    /// The name without the objects before it, such as `country` in `visitor.attributes.country`; `nil` if there are
    /// no objects.
    private static func withoutObject(_ text: String) -> (name: String, isUnsure: Bool)? {
        var rest = Substring(text)
        var isUnsure = true
        while let point = rest.firstIndex(of: ".") {
            let object = rest[..<point].lowercased().filter { !"_-".contains($0) }
            let isKnown = objects.contains(object)
            guard isKnown || commonObjects.contains(object) else { break }
            if isKnown { isUnsure = false }
            rest = rest[rest.index(after: point)...]
        }
        return rest.isEmpty || rest.count == text.count ? nil : (String(rest), isUnsure)
    }
}
