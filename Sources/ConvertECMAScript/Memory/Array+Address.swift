extension Array {
    /// The address of the elements as a number, for comparisons only; `nil` if no memory is allocated.
    var address: UInt? { unsafe withUnsafeBufferPointer { unsafe $0.baseAddress.map { UInt(bitPattern: $0) } } }
}
