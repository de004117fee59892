import ConvertTestServer
import Foundation

/// Writes ZIP archives, sound ones and, where told to, lying ones.
struct ZIPWriter {
    /// One file, with what its records say about it.
    struct File {
        var path: String
        var contents: Data
        var isDeflated = true
        var method: UInt16?
        var flags: UInt16 = 0
        var checksum: UInt32?
        var length: Int?
        /// The path in the local header, if it differs.
        var localPath: String?
        /// Where the directory says that the file begins, if not where it does.
        var offset: Int?

        init(_ path: String, _ contents: String = "contents") {
            self.path = path
            self.contents = Data(contents.utf8)
        }
    }

    var comment = Data()

    func archive(_ files: File...) -> Data { archive(files) }

    func archive(_ files: [File]) -> Data {
        var bytes = Data()
        var directory = Data()
        for file in files {
            let offset = bytes.count
            let gzip = Gzip.compress(file.contents)
            let stored = file.isDeflated ? gzip.dropFirst(10).dropLast(8) : file.contents
            let record = record(of: file, compressedLength: stored.count)
            bytes += number32(0x0403_4b50) + number16(20) + record
            bytes += number16(Data((file.localPath ?? file.path).utf8).count) + number16(0)
            bytes += Data((file.localPath ?? file.path).utf8) + stored
            directory += number32(0x0201_4b50) + number16(20) + number16(20) + record
            directory += number16(Data(file.path.utf8).count) + Data(count: 12) + number32(file.offset ?? offset)
            directory += Data(file.path.utf8)
        }
        let start = bytes.count
        bytes += directory
        bytes += number32(0x0605_4b50) + Data(count: 4) + number16(files.count) + number16(files.count)
        bytes += number32(directory.count) + number32(start) + number16(comment.count) + comment
        return bytes
    }

    /// What both records of a file have in common: flags to lengths.
    private func record(of file: File, compressedLength: Int) -> Data {
        let method = file.method ?? (file.isDeflated ? 8 : 0)
        return number16(Int(file.flags)) + number16(Int(method)) + Data(count: 4)
            + number32(Int(file.checksum ?? crc32(file.contents))) + number32(compressedLength)
            + number32(file.length ?? file.contents.count)
    }

    private func number16(_ number: Int) -> Data { Data([UInt8(number & 255), UInt8(number >> 8 & 255)]) }

    private func number32(_ number: Int) -> Data { number16(number & 0xffff) + number16(number >> 16 & 0xffff) }

    /// CRC-32 bit by bit, so that the reader is not checked with its own tool.
    private func crc32(_ data: Data) -> UInt32 {
        ~data.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
    }
}
