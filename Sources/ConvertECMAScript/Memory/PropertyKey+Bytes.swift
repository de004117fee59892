extension PropertyKey {
    /// A hash of the bytes of `row`, whose type must have no padding. The bytes are read only during the call.
    package static func hash(bytesOf row: some BitwiseCopyable) -> UInt32 {
        unsafe withUnsafeBytes(of: row) { unsafe hash(ByteText($0.bindMemory(to: UInt8.self))) }
    }

    /// A hash of the bytes of `rows`, whose type must have no padding. The bytes are read only during the call.
    package static func hash<Row: BitwiseCopyable>(bytesOf rows: Borrowed<Row>) -> UInt32 {
        unsafe hash(ByteText(UnsafeRawBufferPointer(rows.buffer).bindMemory(to: UInt8.self)))
    }
}
