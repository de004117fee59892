extension JSValue: CustomStringConvertible {
    /// The value as JSON text, as `JSON.stringify` writes it: NaN and the infinities become `null`.
    public var description: String { ECMAScript.jsonText(of: self) }
}

extension JSObject: CustomStringConvertible {
    /// The object as JSON text, as `JSON.stringify` writes it: NaN and the infinities become `null`.
    public var description: String { ECMAScript.jsonText(of: .object(self)) }
}
