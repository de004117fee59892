/// Texts where they lie: handing one over would count a reference.
extension String {
    /// Whether the texts at two addresses consist of the same code units. It counts references only where the texts are not
    /// represented alike.
    @inlinable @inline(__always)
    package static func haveSameCodeUnits(_ left: UnsafePointer<String>, _ right: UnsafePointer<String>) -> Bool {
        areRepresentedAlike(left, right) || haveSameBytes(left, right)
    }

    /// The same of a text and the one at an address.
    @inline(__always)
    static func hasSameCodeUnits(_ left: String, _ right: UnsafePointer<String>) -> Bool {
        isRepresentedAlike(left, right) || hasSameBytes(left, right)
    }

    // Apart, because it is rare and would slow its callers' common way down.
    @usableFromInline @inline(never)
    static func haveSameBytes(_ left: UnsafePointer<String>, _ right: UnsafePointer<String>) -> Bool {
        left.pointee.hasSameCodeUnits(as: right.pointee)
    }

    @inline(never)
    private static func hasSameBytes(_ left: String, _ right: UnsafePointer<String>) -> Bool {
        left.hasSameCodeUnits(as: right.pointee)
    }

    /// Whether both are in the same bits.
    @inlinable @inline(__always)
    static func areRepresentedAlike(_ left: UnsafePointer<String>, _ right: UnsafePointer<String>) -> Bool {
        StringBits(at: left).match(StringBits(at: right))
    }

    /// The same of a text and the one at an address. To take the text's own address would cost more than to compare it.
    @inlinable @inline(__always)
    static func isRepresentedAlike(_ left: String, _ right: UnsafePointer<String>) -> Bool {
        StringBits(left).match(StringBits(at: right))
    }
}
