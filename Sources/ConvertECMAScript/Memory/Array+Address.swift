extension Array {
    /// The number of the elements' address, which nothing reads through; `nil` if no memory is allocated.
    var address: UInt? { unsafe withUnsafeBufferPointer { unsafe $0.baseAddress.map { UInt(bitPattern: $0) } } }
}
