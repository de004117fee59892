internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    case absent, undefined, null, boolean, number, string, array, object
}

/// One attribute in the forms that comparisons read. Texts lie in the pool of their ``ResolvedAttributes``.
struct ResolvedAttribute: Sendable {
    var kind = AttributeKind.absent
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumeric = false
    /// The number, if it counts as one; 1 or 0 of a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = PoolRange()
    /// The lowercase of it.
    var lowercase = PoolRange()
    /// Where the whole value is in the object it came from.
    var member = 0
}

/// A visitor's attributes, or a location's, in the slots of an ``AttributeTable``, with the forms prepared that some
/// condition reads. Made once per context; evaluation only reads it.
package struct ResolvedAttributes: Sendable {
    private(set) var attributes: [ResolvedAttribute]
    private(set) var pool: [UInt8] = []
    private let source: JSObject
    /// Values that stand for themselves, without an object.
    private let single: JSValue?

    /// Resolves `object` by `table`, in time linear to the object and to the texts that rules read.
    init(_ object: JSObject, in table: AttributeTable) {
        source = object
        single = nil
        attributes = [ResolvedAttribute](repeating: ResolvedAttribute(), count: table.names.count)
        pool.reserveCapacity(object.count * 24)
        for index in object.members.indices {
            guard let slot = table.slot(of: object.members[index].key), attributes[slot].kind == .absent else {
                continue
            }
            resolve(object.members[index].value, slot: slot, needs: table.needs[slot])
            attributes[slot].member = index
        }
    }

    /// One value in slot 0, in every form; `nil` is ECMAScript's `undefined`.
    init(_ value: JSValue?) {
        source = JSObject()
        single = value
        attributes = [ResolvedAttribute()]
        if let value {
            resolve(value, slot: 0, needs: [.text, .lowercase, .number])
        } else {
            attributes[0].kind = .undefined
            attributes[0].text = append("undefined")
            attributes[0].lowercase = attributes[0].text
        }
    }

    /// The whole value of the attribute in `slot`; `nil` if it is absent or undefined.
    func value(in slot: Int) -> JSValue? {
        switch attributes[slot].kind {
        case .absent, .undefined: nil
        default: single ?? source.members[attributes[slot].member].value
        }
    }

    private mutating func resolve(_ value: JSValue, slot: Int, needs: AttributeNeeds) {
        var attribute = ResolvedAttribute()
        switch value {
        case .null:
            attribute.kind = .null
        case .bool(let flag):
            attribute.kind = .boolean
            attribute.number = flag ? 1 : 0
        case .integer(let integer):
            attribute.kind = .number
            attribute.isNumeric = true
            attribute.number = Double(integer)
        case .number(let number):
            attribute.kind = .number
            attribute.isNumeric = number.isFinite
            attribute.number = number
        case .string(let text):
            attribute.kind = .string
            attribute.text = append(text)
            if needs.contains(.number) {
                let number = pool.withUnsafeBufferPointer {
                    NumericShape.numericValue(utf8: ByteText($0, attribute.text).bytes)
                }
                attribute.isNumeric = number != nil
                attribute.number = number ?? 0
            }
        case .array:
            attribute.kind = .array
        case .object:
            attribute.kind = .object
        }
        if attribute.kind != .string, !needs.isDisjoint(with: [.text, .lowercase]) {
            attribute.text = append(ECMAScript.toString(value))
        }
        if needs.contains(.lowercase) { attribute.lowercase = lowercase(of: attribute.text) }
        attributes[slot] = attribute
    }

    private mutating func append(_ text: String) -> PoolRange {
        let start = pool.count
        var text = text
        text.withUTF8 { pool.append(contentsOf: $0) }
        return PoolRange(start: start, count: pool.count - start)
    }

    /// The lowercase of a text in the pool: the text itself if it is ASCII without capitals, as it mostly is.
    private mutating func lowercase(of range: PoolRange) -> PoolRange {
        var isLowercase = true
        var index = range.start
        while index < range.start + range.count {
            let byte = pool[index]
            if byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) {
                isLowercase = false
                break
            }
            index += 1
        }
        if isLowercase { return range }
        let start = pool.count
        let text = Array(pool[range.start..<(range.start + range.count)])
        text.withUnsafeBufferPointer { ECMAScript.appendLowerCase(utf8: $0, to: &pool) }
        return PoolRange(start: start, count: pool.count - start)
    }
}
