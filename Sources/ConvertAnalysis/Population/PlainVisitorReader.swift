internal import ConvertECMAScript

/// Reads the most common form of a population's lines: visitors whose properties are plain texts, short numbers,
/// Booleans and `null` (workload `assign`, where parsing such a line costs more than its decisions).
///
/// Other lines are left to the JSON parser: those with escapes, non-ASCII characters, exponents, nested values, stored
/// records, a repeated name, a name that is a number, or an error.
struct PlainVisitorReader {
    /// A known name, which is hashed once for many lines.
    private struct Name {
        let bytes: [UInt8]
        let key: PropertyKey
        /// The number of the last object with this name.
        var object = 0

        func isSpelled(_ name: ByteText) -> Bool { bytes.areSame(as: name) }
    }

    /// A known object with `null` as its values: the next object with the same names is a copy with other values.
    private struct Shape {
        let names: [Int]
        let object: JSObject
    }

    /// The maximum number of known names, and of known shapes. Lines with other names are left to the parser; lines
    /// with other shapes take longer.
    private static let nameLimit = 256
    private static let shapeLimit = 8

    private var names: [Name] = []
    private var shapes: [Shape] = []
    private var objectCount = 0
    /// The numbers of the current object's names.
    private var numbers: [Int] = []
    private var values: [JSValue] = []

    /// Returns the visitor of `line`; `nil` if the line is not a visitor, or not in this form.
    mutating func visitor(_ line: ByteText) -> PopulationVisitor? {
        var cursor = LineCursor(line)
        var visitor = PopulationVisitor(visitorID: "")
        var hasAttributes = false
        let isObject = cursor.takeObject { name, cursor in
            if name.hasBytes(of: "visitorId"), visitor.visitorID.isEmpty {
                if let id = cursor.takeText() {
                    visitor.visitorID = String(decoding: id, as: UTF8.self)
                } else if case .integer(let id)? = cursor.takeValue() {
                    visitor.visitorID = String(id)
                }
                return !visitor.visitorID.isEmpty
            }
            if name.hasBytes(of: "attributes"), !hasAttributes {
                guard let object = object(&cursor) else { return false }
                visitor.attributes = object
                hasAttributes = true
                return true
            }
            if name.hasBytes(of: "locationProperties"), visitor.locationProperties == nil {
                visitor.locationProperties = object(&cursor)
                return visitor.locationProperties != nil
            }
            return false
        }
        guard isObject, cursor.isAtEnd, !visitor.visitorID.isEmpty else { return nil }
        return visitor
    }

    private mutating func object(_ cursor: inout LineCursor) -> JSObject? {
        objectCount += 1
        numbers.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        let isObject = cursor.takeObject { name, cursor in
            guard let number = number(of: name), let value = cursor.takeValue() else { return false }
            numbers.append(number)
            values.append(value)
            return true
        }
        return isObject ? makeObject() : nil
    }

    /// The number of a name; `nil` if the object already has the name, or if only the JSON parser can handle it.
    private mutating func number(of name: ByteText) -> Int? {
        // Most lines have the same names in the same order.
        let likely = numbers.last.map { $0 + 1 } ?? 0
        if likely < names.count, names[likely].isSpelled(name) { return mark(likely) }
        if let number = names.firstIndex(where: { $0.isSpelled(name) }) { return mark(number) }
        // Members whose names are numbers come first in an object, wherever they were written.
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

    /// Creates the object with the members read so far.
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
