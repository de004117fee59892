#if canImport(CoreGraphics)
public import ConvertECMAScript
public import CoreGraphics

extension CGFloat: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(Double(self)) }
}
#endif
