import CConvertZlib
public import Foundation

/// Compression, for bodies that a `TestServer` sends.
public enum Gzip {
    /// `data` in the gzip format; empty if zlib refuses.
    public static func compress(_ data: Data) -> Data {
        var stream = z_stream()
        let windowBits: Int32 = 15 + 16
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return Data() }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 64)
        // Both buffers outlive the one call that reads and writes them.
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { return Data() }
                return Data(output.prefix(Int(stream.total_out)))
            }
        }
    }
}
