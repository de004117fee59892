/// `exists`, `not_exists`, `doesNotExist`: whether the visitor has a value.
///
/// Absent values, `undefined`, `null` and the empty text do not exist. All other values exist, including empty arrays
/// and objects. The rule's value is not read.
enum Presence {
    static let names: [(name: String, operation: Operation)] = [
        ("exists", .exists), ("not_exists", .notExists), ("doesNotExist", .doesNotExist),
    ]

    static func row(_ operation: Operation) -> ComparisonRow { ComparisonRow(operation, .none) }

    static func exists(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .unresolved, .absent, .undefined, .null: false
        case .string: !attribute.isEmptyText
        default: true
        }
    }

    /// `not_exists` in JavaScript: an absent attribute is never compared, so it never matches.
    static func notExists(_ attribute: Attribute) -> Truth {
        attribute.kind == .absent ? .neither : Truth(!exists(attribute))
    }
}
