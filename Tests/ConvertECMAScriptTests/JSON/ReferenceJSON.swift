import ConvertECMAScript

/// JSON as ECMA-404 has it, read the slow way: production by production, over code units, calling itself. It shares
/// nothing with the parser that it checks.
struct ReferenceJSON {
    struct Refusal: Error {}

    indirect enum Value {
        case null
        case bool(Bool)
        case number(Double)
        case text([UInt16])
        case array([Value])
        case object([(name: [UInt16], value: Value)])
    }

    private let units: [UInt16]
    private var index = 0

    /// The spelling of the document that `bytes` hold, or `nil` if they are not JSON.
    static func spell(_ bytes: [UInt8]) -> String? {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        guard let text = String(validating: bytes[start...], as: UTF8.self) else { return nil }
        var parser = ReferenceJSON(units: Array(text.utf16))
        return (try? parser.document()).map { spell($0) }
    }

    private init(units: [UInt16]) { self.units = units }

    private mutating func document() throws -> Value {
        let value = try element()
        guard index == units.count else { throw Refusal() }
        return value
    }

    private mutating func element() throws -> Value {
        skipWhiteSpace()
        let value = try self.value()
        skipWhiteSpace()
        return value
    }

    private mutating func skipWhiteSpace() { while takeAny(" \t\r\n") != nil {} }

    private mutating func value() throws -> Value {
        if take("{") { return .object(try members()) }
        if take("[") { return .array(try elements()) }
        if take("\"") { return .text(try characters()) }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("null") { return .null }
        return .number(try number())
    }

    private mutating func elements() throws -> [Value] {
        skipWhiteSpace()
        if take("]") { return [] }
        var elements: [Value] = []
        repeat { elements.append(try element()) } while take(",")
        guard take("]") else { throw Refusal() }
        return elements
    }

    private mutating func members() throws -> [(name: [UInt16], value: Value)] {
        skipWhiteSpace()
        if take("}") { return [] }
        var members: [(name: [UInt16], value: Value)] = []
        repeat {
            skipWhiteSpace()
            guard take("\"") else { throw Refusal() }
            let name = try characters()
            skipWhiteSpace()
            guard take(":") else { throw Refusal() }
            let value = try element()
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = value
            } else {
                members.append((name, value))
            }
        } while take(",")
        guard take("}") else { throw Refusal() }
        let indexes = members.filter { Self.arrayIndex($0.name) != nil }
        let others = members.filter { Self.arrayIndex($0.name) == nil }
        return indexes.sorted { Self.arrayIndex($0.name) ?? 0 < Self.arrayIndex($1.name) ?? 0 } + others
    }

    private static func arrayIndex(_ name: [UInt16]) -> UInt64? {
        let text = String(decoding: name, as: UTF16.self)
        guard let index = UInt64(text), "\(index)" == text, index < UInt64(UInt32.max) else { return nil }
        return index
    }

    private mutating func characters() throws -> [UInt16] {
        var text: [UInt16] = []
        while let unit = next() {
            switch unit {
            case 0x22: return text
            case 0x5c: text.append(try escape())
            case 0..<0x20: throw Refusal()
            default: text.append(unit)
            }
        }
        throw Refusal()
    }

    private mutating func escape() throws -> UInt16 {
        let letters = "\"\\/bfnrt", values: [UInt16] = [0x22, 0x5c, 0x2f, 8, 12, 10, 13, 9]
        if let place = takeAny(letters) { return values[place] }
        guard take("u"), index + 4 <= units.count else { throw Refusal() }
        let digits = units[index..<index + 4].map { Character(Unicode.Scalar($0) ?? "?") }
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let unit = UInt16(String(digits), radix: 16) else {
            throw Refusal()
        }
        index += 4
        return unit
    }

    private mutating func number() throws -> Double {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if takeAny("eE") != nil {
            _ = takeAny("+-")
            try digits()
        }
        guard let number = Double(String(decoding: units[start..<index], as: UTF16.self)) else { throw Refusal() }
        return number
    }

    private mutating func digits() throws {
        let start = index
        while takeAny("0123456789") != nil {}
        guard index > start else { throw Refusal() }
    }

    private mutating func next() -> UInt16? {
        guard index < units.count else { return nil }
        index += 1
        return units[index - 1]
    }

    private mutating func take(_ text: String) -> Bool {
        guard units[index...].starts(with: text.utf16) else { return false }
        index += text.utf16.count
        return true
    }

    /// Takes one of the characters and returns its place among them.
    private mutating func takeAny(_ characters: String) -> Int? {
        guard index < units.count, let place = Array(characters.utf16).firstIndex(of: units[index]) else { return nil }
        index += 1
        return place
    }

    private static func spell(_ value: Value) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .number(let number): return spelling(of: number)
        case .text(let text): return spelling(of: text)
        case .array(let elements): return "[" + elements.map { spell($0) }.joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { spelling(of: $0.name) + ":" + spell($0.value) }.joined(separator: ",") + "}"
        }
    }
}
