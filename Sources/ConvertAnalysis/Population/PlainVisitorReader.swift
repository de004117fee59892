internal import ConvertECMAScript

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Reads lines as populations mostly have them: visitors whose properties are plain texts, short numbers, Booleans and `null`
/// (workload `assign`, where parsing such a line costs more than its decisions).
///
/// Everything else is left to the parser of JSON, which says what it is or what is wrong with it: escapes, characters beyond
/// ASCII, exponents, nested values, stored records, a name that comes twice or is a number.
struct PlainVisitorReader {
    /// A name that came before, so that it is hashed once for many lines.
    private struct Name {
        let bytes: [UInt8]
        let key: PropertyKey
        /// The object that had it last.
        var object = 0

        func isSpelled(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
            bytes.count == name.count
                && bytes.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress, let other = name.baseAddress else { return bytes.isEmpty }
                    return memcmp(start, other, bytes.count) == 0
                }
        }
    }

    /// An object that came before, with `null` for its values: the next one of its shape is a copy with other values.
    private struct Shape {
        let names: [Int]
        let object: JSObject
    }

    /// How many names, and how many shapes, are kept; a line with others is left to the parser, or takes longer.
    private static let nameLimit = 256
    private static let shapeLimit = 8
    /// As many digits fit every number of JavaScript.
    private static let digitLimit = 15

    private var names: [Name] = []
    private var shapes: [Shape] = []
    private var objectCount = 0
    /// The members of the object that is being read.
    private var numbers: [Int] = []
    private var values: [JSValue] = []

    /// The visitor that `line` is; `nil` if it is none, or not as plain as that.
    mutating func visitor(_ line: UnsafeBufferPointer<UInt8>) -> PopulationVisitor? {
        var cursor = Cursor(line)
        var visitor = PopulationVisitor(visitorID: "")
        var hasAttributes = false
        guard cursor.take("{") else { return nil }
        repeat {
            guard let name = cursor.takeText(), cursor.take(":") else { return nil }
            if Self.isName(name, "visitorId"), visitor.visitorID.isEmpty {
                if let id = cursor.takeText() {
                    visitor.visitorID = String(decoding: id, as: UTF8.self)
                } else if case .integer(let id)? = cursor.takeValue(atMost: Self.digitLimit) {
                    visitor.visitorID = String(id)
                }
                guard !visitor.visitorID.isEmpty else { return nil }
            } else if Self.isName(name, "attributes"), !hasAttributes {
                guard let object = object(&cursor) else { return nil }
                visitor.attributes = object
                hasAttributes = true
            } else if Self.isName(name, "locationProperties"), visitor.locationProperties == nil {
                guard let object = object(&cursor) else { return nil }
                visitor.locationProperties = object
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), cursor.isAtEnd, !visitor.visitorID.isEmpty else { return nil }
        return visitor
    }

    private static func isName(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }

    private mutating func object(_ cursor: inout Cursor) -> JSObject? {
        guard cursor.take("{") else { return nil }
        if cursor.take("}") { return JSObject() }
        objectCount += 1
        numbers.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        repeat {
            guard let name = cursor.takeText(), cursor.take(":"), let number = number(of: name),
                let value = cursor.takeValue(atMost: Self.digitLimit)
            else { return nil }
            numbers.append(number)
            values.append(value)
        } while cursor.take(",")
        return cursor.take("}") ? makeObject() : nil
    }

    /// The number of a name; `nil` if the object has it already, or the parser of JSON treats it in a way of its own.
    private mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        // Most lines have the same names in the same order.
        let likely = numbers.last.map { $0 + 1 } ?? 0
        if likely < names.count, names[likely].isSpelled(name) { return mark(likely) }
        if let number = names.firstIndex(where: { $0.isSpelled(name) }) { return mark(number) }
        // An object's members whose names are numbers come first, whatever their place.
        guard names.count < Self.nameLimit, let first = name.first,
            !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        names.append(Name(bytes: Array(name), key: PropertyKey(String(decoding: name, as: UTF8.self))))
        return mark(names.count - 1)
    }

    private mutating func mark(_ number: Int) -> Int? {
        guard names[number].object != objectCount else { return nil }
        names[number].object = objectCount
        return number
    }

    /// The object of the members that were read.
    private mutating func makeObject() -> JSObject {
        var object: JSObject
        if let shape = shapes.first(where: { $0.names == numbers }) {
            object = shape.object
        } else {
            object = JSObject()
            for number in numbers { object[names[number].key] = .null }
            if shapes.count == Self.shapeLimit { shapes.removeLast() }
            shapes.insert(Shape(names: numbers, object: object), at: 0)
        }
        for (number, value) in zip(numbers, values) { object[names[number].key] = value }
        return object
    }
}

/// A place in a line. At the end it stands on a zero, which no JSON has.
private struct Cursor {
    private let line: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ line: UnsafeBufferPointer<UInt8>) { self.line = line }

    private var byte: UInt8 { index < line.count ? line[index] : 0 }

    private mutating func skipSpace() {
        while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
    }

    /// Whether only white space follows.
    var isAtEnd: Bool {
        var rest = self
        rest.skipSpace()
        return rest.index == line.count
    }

    /// Takes a sign, with white space before it, if it comes next.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(truncatingIfNeeded: sign.value) else { return false }
        index += 1
        return true
    }

    /// Takes a string of ASCII without escapes; `nil` if something else comes next.
    mutating func takeText() -> UnsafeBufferPointer<UInt8>? {
        guard take("\"") else { return nil }
        let start = index
        for place in start..<line.count {
            let byte = line[place]
            if byte == UInt8(ascii: "\"") {
                index = place + 1
                return UnsafeBufferPointer(rebasing: line[start..<place])
            }
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }

    /// Takes a plain value; `nil` if something else comes next.
    mutating func takeValue(atMost digitLimit: Int) -> JSValue? {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): return takeText().map { .string(String(decoding: $0, as: UTF8.self)) }
        case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
        default: return takeNumber(atMost: digitLimit)
        }
    }

    private mutating func take(word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            for letter in word {
                guard byte == letter else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func takeNumber(atMost digitLimit: Int) -> JSValue? {
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let start = index
        var magnitude = 0
        while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index - start < digitLimit {
            magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
            index += 1
        }
        let count = index - start
        // What follows a number is seen by who takes the next sign.
        guard count > 0, count == 1 || line[start] != UInt8(ascii: "0"), magnitude > 0 || !isNegative else {
            return nil
        }
        guard byte == UInt8(ascii: ".") else { return .integer(isNegative ? -magnitude : magnitude) }
        index += 1
        var divisor = 1.0
        while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index - start <= digitLimit {
            magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
            divisor *= 10
            index += 1
        }
        // Both sides are exact, so the quotient is the nearest double. With a zero at the end it may be a whole number.
        guard divisor > 1, line[index - 1] != UInt8(ascii: "0") else { return nil }
        let number = Double(magnitude) / divisor
        return .number(isNegative ? -number : number)
    }
}
