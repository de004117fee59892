extension [UInt8] {
    /// Appends `bytes` with ASCII letters in lower case, and returns whether all of the bytes are ASCII.
    mutating func appendLowerCaseASCII(of bytes: ByteText) -> Bool {
        let start = count
        append(contentsOf: bytes)
        return unsafe withUnsafeMutableBytes { storage in
            unsafe lowerCaseASCII(of: bytes, in: UnsafeMutableRawBufferPointer(rebasing: storage[start...]))
        }
    }
}

/// Writes `bytes` to `lower`, which has the same length, with ASCII letters in lower case. Returns whether all bytes
/// are ASCII.
///
/// Processes sixteen bytes at a time. The last sixteen bytes may overlap the bytes before them, so no access is beyond
/// the end.
@inline(__always)
private func lowerCaseASCII(of bytes: ByteText, in lower: UnsafeMutableRawBufferPointer) -> Bool {
    typealias Block = SIMD16<UInt8>
    guard bytes.count >= Block.scalarCount else {
        var all: UInt8 = 0
        for index in bytes.indices {
            all |= bytes[index]
            unsafe lower[index] = ECMAScript.lowerCase(bytes[index])
        }
        return all < 0x80
    }
    var all = Block.zero
    var index = 0
    // Keep reading from `bytes`: the processor would wait for bytes that were just written.
    while index < bytes.count {
        let offset = min(index, bytes.count - Block.scalarCount)
        let block = bytes.block(at: offset)
        all |= block
        let isUpperCase = block &- Block(repeating: UInt8(ascii: "A")) .< Block(repeating: 26)
        let mapped = block.replacing(with: block | Block(repeating: 0x20), where: isUpperCase)
        unsafe lower.storeBytes(of: mapped, toByteOffset: offset, as: Block.self)
        index += Block.scalarCount
    }
    return all.max() < 0x80
}
