/// `exists`, `not_exists`, `doesNotExist`: whether the visitor has a value.
///
/// Everything exists but an absent value, `undefined`, `null` and the empty text; arrays and objects do, whatever they hold.
/// The rule's value is not read.
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

    /// `not_exists` as JavaScript reads it: an absent attribute never gets as far as the comparison.
    static func notExists(_ attribute: Attribute) -> Truth {
        attribute.kind == .absent ? .neither : Truth(!exists(attribute))
    }
}
