import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// A JSON Schema (2020-12), as far as the schemas of the tool use its keywords.
struct JSONSchema {
    struct UnknownKeyword: Error {
        let keyword: String
    }

    let root: JSObject

    /// - Throws: ``UnknownKeyword`` for a keyword that ``faults(in:)`` would ignore.
    init(_ json: String) throws {
        let value = try JSValue(json: Data(json.utf8))
        guard let root = value.objectValue else { throw UnknownKeyword(keyword: "a schema that is no object") }
        self.root = root
        try Self.forEachSchema(in: root) { schema in
            for member in schema where !Self.keywords.contains(member.key.name) {
                throw UnknownKeyword(keyword: member.key.name)
            }
        }
    }

    private static let keywords: Set<String> = [
        "$schema", "$defs", "$ref", "title", "description", "type", "required", "properties", "additionalProperties",
        "items", "enum", "const", "anyOf", "allOf", "not", "if", "then", "minLength", "minItems", "minimum",
    ]

    /// Calls `body` with `schema` and with each schema that is part of it.
    static func forEachSchema(in schema: JSObject, _ body: (JSObject) throws -> Void) rethrows {
        try body(schema)
        for name in ["$defs", "properties"] {
            for member in schema[name]?.objectValue ?? JSObject() {
                if let part = member.value.objectValue { try forEachSchema(in: part, body) }
            }
        }
        for name in ["items", "not", "if", "then"] {
            if let part = schema[name]?.objectValue { try forEachSchema(in: part, body) }
        }
        for name in ["anyOf", "allOf"] {
            for part in schema[name]?.arrayValue ?? [] {
                if let part = part.objectValue { try forEachSchema(in: part, body) }
            }
        }
    }

    /// The definition of that name.
    func definition(_ name: String) -> JSObject? { root["$defs"]?.objectValue?[name]?.objectValue }

    /// What the schema refuses in `value`: JSON paths, with the keyword.
    func faults(in value: JSValue) -> [String] { faults(in: value, root, at: "$") }

    private func faults(in value: JSValue, _ schema: JSObject, at path: String) -> [String] {
        var faults: [String] = []
        func refuse(_ keyword: String, unless holds: Bool) { if !holds { faults.append("\(path): \(keyword)") } }
        func accepts(_ part: JSValue) -> Bool {
            part.objectValue.map { self.faults(in: value, $0, at: path).isEmpty } ?? true
        }
        for member in schema {
            let operand = member.value
            switch member.key.name {
            case "$ref":
                let name = operand.stringValue?.split(separator: "/").last.map(String.init) ?? ""
                if let part = definition(name) {
                    faults += self.faults(in: value, part, at: path)
                } else {
                    refuse("$ref \(name)", unless: false)
                }
            case "type":
                let types = operand.arrayValue?.compactMap(\.stringValue) ?? [operand.stringValue ?? ""]
                refuse("type", unless: types.contains { Self.isOfType(value, $0) })
            case "enum": refuse("enum", unless: operand.arrayValue?.contains(value) == true)
            case "const": refuse("const", unless: operand == value)
            case "minimum": refuse("minimum", unless: (value.numberValue ?? 0) >= (operand.numberValue ?? 0))
            case "minLength":
                refuse("minLength", unless: Double(value.stringValue?.count ?? 1_000) >= (operand.numberValue ?? 0))
            case "minItems":
                refuse("minItems", unless: Double(value.arrayValue?.count ?? 1_000) >= (operand.numberValue ?? 0))
            case "required":
                guard let object = value.objectValue else { break }
                for name in operand.arrayValue?.compactMap(\.stringValue) ?? [] {
                    refuse("required \(name)", unless: object[name] != nil)
                }
            case "properties":
                for property in operand.objectValue ?? JSObject() {
                    guard let part = property.value.objectValue, let member = value.objectValue?[property.key.name]
                    else { continue }
                    faults += self.faults(in: member, part, at: "\(path).\(property.key.name)")
                }
            case "additionalProperties":
                let known = schema["properties"]?.objectValue ?? JSObject()
                for member in value.objectValue ?? JSObject() {
                    refuse("additionalProperties", unless: known[member.key.name] != nil)
                }
            case "items":
                for (index, element) in (value.arrayValue ?? []).enumerated() {
                    faults += self.faults(in: element, operand.objectValue ?? JSObject(), at: "\(path)[\(index)]")
                }
            case "anyOf": refuse("anyOf", unless: operand.arrayValue?.contains(where: accepts) == true)
            case "allOf":
                for part in operand.arrayValue ?? [] {
                    faults += self.faults(in: value, part.objectValue ?? JSObject(), at: path)
                }
            case "not": refuse("not", unless: !accepts(operand))
            case "if":
                if accepts(operand), let then = schema["then"]?.objectValue {
                    faults += self.faults(in: value, then, at: path)
                }
            default: break
            }
        }
        return faults
    }

    private static func isOfType(_ value: JSValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("string", .illFormedString),
            ("array", .array), ("object", .object), ("number", .integer), ("number", .number), ("integer", .integer):
            true
        case ("integer", .number(let number)): number.rounded() == number
        default: false
        }
    }
}
