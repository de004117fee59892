internal import ConvertECMAScript

/// A consequence's detail whose values are parsed for tokens. Member names are never replaced.
indirect enum DetailTemplate: Sendable {
    /// A value without tokens.
    case constant(JSValue)
    case text(TokenTemplate)
    case array([DetailTemplate])
    case object([(key: PropertyKey, value: DetailTemplate)])

    init(_ value: JSValue) {
        switch value {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "{")) else {
                self = .constant(value)
                return
            }
            // Parsed even without a complete token, because an unclosed token empties the text.
            let template = TokenTemplate(text)
            self = template.isConstant ? .constant(.string(template.isEmpty ? "" : text)) : .text(template)
        case .array(let elements):
            let templates = elements.map(DetailTemplate.init)
            self = templates.allSatisfy(\.isConstant) ? .constant(.array(templates.map(\.constant))) : .array(templates)
        case .object(let object):
            let templates = object.map { (key: $0.key, value: DetailTemplate($0.value)) }
            guard templates.allSatisfy(\.value.isConstant) else {
                self = .object(templates)
                return
            }
            var constant = JSObject()
            for member in templates { constant[member.key] = member.value.constant }
            self = .constant(.object(constant))
        default:
            self = .constant(value)
        }
    }

    /// The value with all tokens replaced.
    func value(in view: inout EventView) -> JSValue {
        switch self {
        case .constant(let value): return value
        case .text(let template): return .string(template.text(in: &view))
        case .array(let templates): return .array(templates.map { $0.value(in: &view) })
        case .object(let members):
            var object = JSObject()
            for member in members { object[member.key] = member.value.value(in: &view) }
            return .object(object)
        }
    }

    /// Whether the value contains no tokens.
    var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    private var constant: JSValue {
        if case .constant(let value) = self { value } else { .null }
    }
}
