internal import ConvertECMAScript

/// The kinds of value that ECMAScript's `typeof` and the reference distinguish.
enum AttributeKind: UInt8, Sendable {
    /// The attribute was not read yet. The first case, so that zeroed memory contains attributes of this kind.
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

/// One attribute, in the forms that comparisons read. Forms that no condition reads keep their defaults.
struct Attribute: Sendable, BitwiseCopyable {
    /// The number, if the value counts as one; 1 or 0 for a boolean.
    var number = 0.0
    /// The value's ToString.
    var text = TableRange()
    var lowercase = TableRange()
    /// Number of the lowercase text among the texts that rules name; 0 if no rule names it.
    var equalNumber: UInt32 = 0
    /// Number of the original text among the texts that rules name; 0 if no rule names it.
    var listNumber: UInt32 = 0
    /// Index of the whole value in the source object.
    var member: Int32 = 0
    /// The kind of the value; ``AttributeKind/unresolved`` until the attribute is first read.
    var kind = AttributeKind.unresolved {
        didSet { isScalar = AttributeKind.undefined.rawValue...AttributeKind.string.rawValue ~= kind.rawValue }
    }
    /// Whether the attribute was resolved, and is present and neither an array nor an object.
    private(set) var isScalar = false
    /// Whether the value counts as a number: it is a number, or text in the reference's numeric format.
    var isNumber = false
    /// Whether ToString throws for the value. Then no comparison that reads the text holds, negated or not.
    var isTextless = false
    /// Whether the text contains a `|`, at which list comparisons split it.
    var hasBar = false
    /// Whether the value is an empty text.
    var isEmptyText = false
}
