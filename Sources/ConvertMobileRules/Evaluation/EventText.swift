internal import ConvertECMAScript
internal import ConvertTransport
internal import ConvertValues

/// The text forms of an event's whole data.
enum EventText {
    /// The data as a URL's query: nested objects are flattened, arrays are joined by commas, and pairs are sorted by
    /// name.
    static func url(of data: JSObject) -> String {
        var pairs: [(name: String, text: String)] = []
        collect(data, prefix: "", depth: 0, into: &pairs)
        pairs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return pairs.map { PercentEncoding.encode("\($0.name)=\($0.text)", keeping: isQueryByte) }
            .joined(separator: "&")
    }

    private static func collect(
        _ object: JSObject, prefix: String, depth: Int, into pairs: inout [(name: String, text: String)]
    ) {
        for member in object {
            let name = prefix + member.key.name
            switch member.value {
            case .null: continue
            case .object(let inner):
                if depth < MobileRulesLimits.dataDepth {
                    collect(inner, prefix: name + ".", depth: depth + 1, into: &pairs)
                }
            case .array(let elements):
                let text = elements.map { MobileValue($0).text ?? json(of: $0) }.joined(separator: ",")
                pairs.append((name, elements.isEmpty ? "[]" : text))
            default: pairs.append((name, MobileValue(member.value).text ?? ""))
            }
        }
    }

    /// Compact JSON with members sorted by name and slashes as `\/`. A number that JSON cannot express becomes `null`.
    static func json(of value: JSValue) -> String {
        var text = ""
        append(value, depth: 0, to: &text)
        return text
    }

    private static func append(_ value: JSValue, depth: Int, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .number(let number):
            if case .integer(let integer) = JSValue(number) {
                text += String(integer)
            } else {
                text += number.isFinite ? String(number) : "null"
            }
        case .string(let string): ECMAScript.quote(string, escapesSlash: true, to: &text)
        case .illFormedString: text += ECMAScript.jsonText(of: value)
        case .array(let elements):
            guard depth <= MobileRulesLimits.dataDepth else { return text += "null" }
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                append(element, depth: depth + 1, to: &text)
            }
            text += "]"
        case .object(let object):
            guard depth <= MobileRulesLimits.dataDepth else { return text += "null" }
            text += "{"
            let members = object.sorted { $0.key.name.utf8.lexicographicallyPrecedes($1.key.name.utf8) }
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                ECMAScript.quote(member.key.name, escapesSlash: true, to: &text)
                text += ":"
                append(member.value, depth: depth + 1, to: &text)
            }
            text += "}"
        }
    }

    /// Whether the byte may be in a URL's query without percent-encoding.
    private static func isQueryByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}
