extension Int: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { .integer(self) }
}

extension JSValueConvertible where Self: BinaryInteger {
    /// The number, or the nearest double if the number does not fit 64 bits.
    public var jsValue: JSValue { Int(exactly: self).map { .integer($0) } ?? .number(Double(self)) }
}

extension Int8: JSValueConvertible {}
extension Int16: JSValueConvertible {}
extension Int32: JSValueConvertible {}
extension Int64: JSValueConvertible {}
extension Int128: JSValueConvertible {}
extension UInt: JSValueConvertible {}
extension UInt8: JSValueConvertible {}
extension UInt16: JSValueConvertible {}
extension UInt32: JSValueConvertible {}
extension UInt64: JSValueConvertible {}
extension UInt128: JSValueConvertible {}

extension Double: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(self) }
}

extension Float: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(Double(self)) }
}

// On Intel Macs, Apple's compilers do not have this type.
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(Double(self)) }
}
#endif
