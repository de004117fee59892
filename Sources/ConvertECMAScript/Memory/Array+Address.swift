extension Array {
    /// The address of the elements as a number; `nil` if no memory is allocated. It is only compared, never
    /// dereferenced.
    var address: UInt? { unsafe withUnsafeBufferPointer { unsafe $0.baseAddress.map { UInt(bitPattern: $0) } } }
}
