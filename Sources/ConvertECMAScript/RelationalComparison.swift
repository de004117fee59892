extension ECMAScript {
    /// IsLessThan (ECMA-262 §7.2.13): whether `left < right`, or `nil` (the specification's `undefined`) if a NaN is
    /// involved.
    ///
    /// Arrays and objects are compared by their text. Two texts are compared by code units, all other values as
    /// Numbers.
    public static func isLessThan(_ left: JSValue?, _ right: JSValue?) -> Bool? {
        if hasText(left), hasText(right) {
            return withText(of: left) { left in withText(of: right) { compareCodeUnits(utf8: left, $0) < 0 } }
        }
        let left = toNumber(left)
        let right = toNumber(right)
        return left.isNaN || right.isNaN ? nil : left < right
    }

    /// Whether the result of ToPrimitive is a String.
    private static func hasText(_ value: JSValue?) -> Bool {
        switch value {
        case .string, .illFormedString, .array, .object: true
        default: false
        }
    }
}
