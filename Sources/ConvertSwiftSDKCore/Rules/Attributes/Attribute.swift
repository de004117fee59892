internal import ConvertECMAScript

/// What ECMAScript's `typeof` and the reference tell apart about a value.
enum AttributeKind: UInt8, Sendable {
    /// Nobody has looked yet. The first case, so that memory of zeros holds attributes of this kind.
    case unresolved
    case absent, undefined, null, boolean, number, string, array, object

    /// The kind of `value`; `nil` is ECMAScript's `undefined`.
    init(of value: JSValue?) {
        switch value {
        case nil: self = .undefined
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .number: self = .number
        case .string, .illFormedString: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

/// One attribute in the forms that comparisons read, as far as some condition needs them.
struct Attribute: Sendable, BitwiseCopyable {
    /// The number, if it counts as one; 1 or 0 of a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = TableRange()
    /// The lowercase of it.
    var lowercase = TableRange()
    /// Number of the lowercase among the texts that rules name; 0 if none names it.
    var equalNumber: UInt32 = 0
    /// Number of the text as it is.
    var listNumber: UInt32 = 0
    /// Where the whole value is in the object it came from.
    var member: Int32 = 0
    /// What the value is; ``AttributeKind/unresolved`` until somebody looks.
    var kind = AttributeKind.unresolved {
        didSet { isScalar = AttributeKind.undefined.rawValue...AttributeKind.string.rawValue ~= kind.rawValue }
    }
    /// Whether it was resolved, and is no array or object, and not absent.
    private(set) var isScalar = false
    /// Whether the value counts as a number: it is one, or it is text in the reference's numeric shape.
    var isNumber = false
    private var traits: UInt8 = 0

    init(member: Int32 = 0) { self.member = member }

    /// Whether ToString throws: then nothing that reads the text holds, negated or not.
    var isTextless: Bool {
        get { traits & 1 != 0 }
        set { traits = newValue ? traits | 1 : traits & ~1 }
    }

    /// Whether the text has a `|`, at which it is split where lists are searched.
    var hasBar: Bool {
        @inline(__always) get { traits & 2 != 0 }
        set { traits = newValue ? traits | 2 : traits & ~2 }
    }

    /// Whether the value is an empty text.
    var isEmptyText: Bool {
        get { traits & 4 != 0 }
        set { traits = newValue ? traits | 4 : traits & ~4 }
    }
}
