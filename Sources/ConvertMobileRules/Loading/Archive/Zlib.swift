internal import CConvertZlib
internal import Foundation

/// The two functions of the system's zlib that this module uses.
///
/// Pointers to both buffers are used only inside the closures that pass them. zlib receives the exact lengths, so it
/// stays within the buffers for any input.
enum Zlib {
    /// Inflates a raw deflate stream to exactly `length` bytes.
    ///
    /// - Returns: the bytes, or `nil` if the stream is damaged, ends early, continues after its end, or has more or
    ///   fewer bytes than `length`.
    static func inflate(_ deflated: Data, length: Int) -> Data? {
        guard let available = UInt32(exactly: deflated.count), let capacity = UInt32(exactly: length) else {
            return nil
        }
        var input = [UInt8](deflated)
        // One additional byte, so that the buffer of an empty stream has an address, and a stream that is too long
        // fills more than `length` bytes.
        var output = [UInt8](repeating: 0, count: length + 1)
        var stream = unsafe z_stream()
        // Negative window bits mean no zlib or gzip header around the stream, as in a ZIP archive.
        let opened = unsafe inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard opened == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        let end = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = available
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = capacity + 1
                return unsafe CConvertZlib.inflate(&stream, Z_FINISH)
            }
        }
        guard end == Z_STREAM_END, unsafe stream.avail_in == 0, unsafe stream.avail_out == 1 else { return nil }
        return Data(output.dropLast())
    }

    /// The CRC-32 of `data`, as ZIP archives use it.
    static func checksum(_ data: Data) -> UInt32 {
        unsafe data.withUnsafeBytes { bytes in
            unsafe UInt32(truncatingIfNeeded: crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
        }
    }
}
