import ConvertECMAScript

/// Indented JSON of a value, with sorted members. A `JSValue` in it stands on one line, with the members in its own
/// order and with numbers as a config spells them. A member that is `nil` is left out.
enum IndentedJSON {
    /// The JSON text of `value`, without a last line break.
    static func text(of value: some Encodable) throws -> String {
        let node = Node()
        try NodeEncoder(node: node).encode(value)
        var text = ""
        node.write(to: &text, indentation: "")
        return text
    }
}

/// A part of the JSON, which an encoder fills.
private final class Node {
    /// The JSON, unless the part is an array or an object.
    private var text = "null"
    private var elements: [Node]?
    private var members: [String: Node]?

    /// The number of elements of an array.
    var count: Int { elements?.count ?? 0 }

    func set(_ value: JSValue) { text = ECMAScript.jsonText(keepingNumbersOf: value) }

    func set(_ number: some BinaryInteger) { text = "\(number)" }

    /// Makes the part an object, if it is not one.
    func becomeObject() { members = members ?? [:] }

    /// Makes the part an array, if it is not one.
    func becomeArray() { elements = elements ?? [] }

    /// Adds the member `name` to an object.
    func add(_ name: String) -> Node {
        let node = Node()
        members?[name] = node
        return node
    }

    /// Adds an element to an array.
    func add() -> Node {
        let node = Node()
        elements?.append(node)
        return node
    }

    func write(to text: inout String, indentation: String) {
        if let elements {
            Self.write(elements.map { ("", $0) }, between: ("[", "]"), to: &text, indentation: indentation)
        } else if let members {
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let parts = sorted.map { (ECMAScript.jsonText(of: .string($0.key)) + " : ", $0.value) }
            Self.write(parts, between: ("{", "}"), to: &text, indentation: indentation)
        } else {
            text += self.text
        }
    }

    private static func write(
        _ parts: [(head: String, node: Node)], between brackets: (String, String), to text: inout String,
        indentation: String
    ) {
        text += brackets.0
        for (index, part) in parts.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + indentation + "  " + part.head
            part.node.write(to: &text, indentation: indentation + "  ")
        }
        text += (parts.isEmpty ? "" : "\n" + indentation) + brackets.1
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let node: Node

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(Members<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.set(.null) }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let value as JSValue: node.set(value)
        case let object as JSObject: node.set(.object(object))
        case let flag as Bool: node.set(.bool(flag))
        case let text as String: node.set(.string(text))
        case let number as Double: node.set(JSValue(number))
        case let number as Float: node.set(JSValue(Double(number)))
        case let number as any BinaryInteger: node.set(number)
        default: try value.encode(to: self)
        }
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node

    var codingPath: [any CodingKey] { [] }

    private func encoder(_ name: String) -> NodeEncoder { NodeEncoder(node: node.add(name)) }

    func encodeNil(forKey key: Key) { encoder(key.stringValue).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key.stringValue).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder("super") }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key.stringValue) }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: Node

    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    private func nextEncoder() -> NodeEncoder { NodeEncoder(node: node.add()) }

    func encodeNil() { nextEncoder().encodeNil() }

    func encode(_ value: some Encodable) throws { try nextEncoder().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nextEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { nextEncoder() }
}
