extension ECMAScript {
    /// IsLessThan (ECMA-262 §7.2.13): whether `left < right`, or `nil` (the specification's `undefined`) if NaN took
    /// part.
    ///
    /// Arrays and objects are compared by their text; two texts in the order of code units, anything else as Numbers.
    public static func isLessThan(_ left: JSValue?, _ right: JSValue?) -> Bool? {
        if let left = text(ofPrimitive: left), let right = text(ofPrimitive: right) { return isLess(left, right) }
        let left = toNumber(left)
        let right = toNumber(right)
        return left.isNaN || right.isNaN ? nil : left < right
    }

    /// The text of ToPrimitive's result, if that is a String.
    private static func text(ofPrimitive value: JSValue?) -> String? {
        switch value {
        case .string(let text): text
        case .array, .object: toString(value)
        default: nil
        }
    }
}
