/// A file format that is neither JSON nor text in UTF-8, recognized by its first bytes.
///
/// Error messages about unreadable bytes name the format and a remedy.
package struct ForeignFormat: Sendable, Hashable, CustomStringConvertible {
    /// The format, in words that fit after "it is".
    private let name: String
    /// The remedy.
    private let remedy: String

    /// The format and the remedy, in words that fit after "it is".
    package var description: String { "\(name); \(remedy)" }

    /// Returns the format of a file that begins with `bytes`; `nil` if the file may be text in UTF-8 other than markup.
    package init?(of bytes: ByteText) {
        let start = bytes.prefix(Self.length)
        if let format = Self.wide(Array(start.prefix(4))) {
            self = format
        } else if let format = Self.signatures.first(where: { start.starts(with: $0.bytes) })?.format {
            self = format
        } else if let format = Self.markup(start) {
            self = format
        } else {
            return nil
        }
    }

    /// Returns the format of a file that is not JSON: the format from ``init(of:)``, or CSV; `nil` if it is neither.
    package init?(insteadOfJSON bytes: ByteText) {
        if let format = ForeignFormat(of: bytes) {
            self = format
        } else if Self.isCSV(bytes.prefix(Self.length)) {
            self = .csv
        } else {
            return nil
        }
    }

    /// CSV instead of JSON.
    package static let csv = ForeignFormat("CSV", "give JSON instead")

    private init(_ name: String, _ remedy: String) {
        self.name = name
        self.remedy = remedy
    }

    /// The number of bytes that are examined.
    package static let length = 1 << 10

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    private static let signatures: [(bytes: [UInt8], format: ForeignFormat)] = [
        ([0x1f, 0x8b], ForeignFormat("gzip-compressed", "decompress it first with gunzip")),
        ([0x28, 0xb5, 0x2f, 0xfd], ForeignFormat("zstd-compressed", "decompress it first with unzstd")),
        (Array("BZh91AY&SY".utf8), ForeignFormat("bzip2-compressed", "decompress it first with bunzip2")),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], ForeignFormat("xz-compressed", "decompress it first with unxz")),
        ([0x50, 0x4b, 0x03, 0x04], ForeignFormat("a ZIP archive", "unpack it first with unzip")),
        ([0x50, 0x4b, 0x05, 0x06], ForeignFormat("an empty ZIP archive", "give the file itself")),
        (Array("PAR1\u{15}".utf8), ForeignFormat("a Parquet file", "export it as text first")),
        (Array("ARROW1\0\0".utf8), ForeignFormat("an Arrow file", "export it as text first")),
        (Array("Obj\u{1}".utf8), ForeignFormat("an Avro file", "export it as text first")),
        (Array("SQLite format 3\0".utf8), ForeignFormat("an SQLite database", "export it as text first")),
        (Array("%PDF-".utf8), ForeignFormat("a PDF document", "give the file itself")),
        (
            Array("version https://git-lfs.github.com/".utf8),
            ForeignFormat("a pointer of Git LFS", "fetch the file first with 'git lfs pull'")
        ),
    ]

    /// UTF-16 and UTF-32, recognized by the byte order mark, or by the NUL bytes of ASCII characters at the start.
    private static func wide(_ start: [UInt8]) -> ForeignFormat? {
        func format(_ encoding: String) -> ForeignFormat { ForeignFormat("\(encoding) text", "save it as UTF-8") }
        guard start.count >= 2 else { return nil }
        if start.count == 4 {
            switch (start[0], start[1], start[2], start[3]) {
            case (0xff, 0xfe, 0, 0), (1..., 0, 0, 0), (0, 0, 0xfe, 0xff), (0, 0, 0, 1...): return format("UTF-32")
            default: break
            }
        }
        switch (start[0], start[1]) {
        case (0xff, 0xfe), (0xfe, 0xff), (1..<0x80, 0), (0, 1..<0x80): return format("UTF-16")
        default: return nil
        }
    }

    private static func markup(_ bytes: Slice<ByteText>) -> ForeignFormat? {
        let start = text(bytes).prefix(32).map { $0 | 0x20 }
        guard start.first == UInt8(ascii: "<") else { return nil }
        let isPage = ["<!doctype html", "<html"].contains { start.starts(with: $0.utf8.map { $0 | 0x20 }) }
        return isPage
            ? ForeignFormat("an HTML page", "see whether the address or the file is the right one")
            : ForeignFormat("XML or HTML", "see whether the address or the file is the right one")
    }

    /// Whether the first line consists of names and separators. No JSON text has such a first line.
    private static func isCSV(_ bytes: Slice<ByteText>) -> Bool {
        let line = text(bytes).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let first = line.first, line.contains(where: { [0x2c, 0x3b, 0x09].contains($0) }) else { return false }
        let letter = first | 0x20
        let beginsWithName = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || first == UInt8(ascii: "\"")
        return beginsWithName && !line.contains { Array("{}[]:".utf8).contains($0) }
    }

    /// The bytes after a byte order mark and blanks.
    private static func text(_ bytes: Slice<ByteText>) -> Slice<ByteText> {
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes
        return text.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    }
}
