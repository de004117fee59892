public import ConvertECMAScript
public import Foundation

extension CGFloat: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(Double(self)) }
}
