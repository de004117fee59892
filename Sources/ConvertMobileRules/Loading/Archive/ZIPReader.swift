internal import ConvertECMAScript
internal import Foundation

/// Reads the records of a ZIP archive as in APPNOTE.TXT 6.3: numbers are little-endian, and the directory is at the
/// end.
struct ZIPReader {
    private enum Signature {
        static let localHeader: UInt32 = 0x0403_4b50
        static let directoryEntry: UInt32 = 0x0201_4b50
        static let directoryEnd: UInt32 = 0x0605_4b50
    }

    private static let directoryEndLength = 22
    private static let directoryEntryLength = 46
    private static let localHeaderLength = 30
    private static let longestComment = 0xffff

    private let bytes: Data
    /// The start of the directory; files must end before it.
    private var directoryStart = 0
    /// The ranges of bytes that files of the directory have claimed so far.
    private var claimed: [Range<Int>] = []

    init(_ archive: Data) {
        // The copy's indexes equal the offsets within the archive.
        bytes = archive.startIndex == 0 ? archive : Data(archive)
    }

    /// The files and folders in the directory.
    mutating func entries() throws(MobileRulesError) -> [ZIPEntry] {
        let end = try directoryEnd()
        let count = Int(number16(end + 10))
        let length = Int(number32(end + 12))
        directoryStart = Int(number32(end + 16))
        let isSplit = number16(end + 4) != 0 || number16(end + 6) != 0 || number16(end + 8) != number16(end + 10)
        if isSplit { throw damaged("it is split into several files, which is not supported.") }
        if count == 0xffff || directoryStart == 0xffff_ffff {
            throw damaged("it is of the 64-bit kind, which is not supported.")
        }
        if count > MobileRulesLimits.archiveEntries {
            throw MobileRulesError(
                .tooLarge, at: "archive", "it holds more than \(MobileRulesLimits.archiveEntries) entries.")
        }
        guard directoryStart + length == end else { throw damaged("its directory is not where it says.") }
        var entries: [ZIPEntry] = []
        var position = directoryStart
        for _ in 0..<count {
            entries.append(try entry(at: &position, end: end))
        }
        guard position == end else { throw damaged("its directory holds more than it says.") }
        return entries
    }

    /// The checked contents of one file.
    mutating func contents(of entry: ZIPEntry) throws(MobileRulesError) -> Data {
        let header = entry.headerOffset
        guard header + Self.localHeaderLength <= directoryStart, number32(header) == Signature.localHeader else {
            throw damaged(entry.place, "its header is not where the directory says.")
        }
        let nameLength = Int(number16(header + 26))
        let nameStart = header + Self.localHeaderLength
        let start = nameStart + nameLength + Int(number16(header + 28))
        let end = start + entry.compressedLength
        guard end <= directoryStart else { throw damaged(entry.place, "it reaches beyond the archive.") }
        guard bytes[nameStart..<(nameStart + nameLength)].elementsEqual(entry.name) else {
            throw damaged(entry.place, "its header names another path than the directory.")
        }
        if claimed.contains(where: { $0.overlaps(header..<end) }) {
            throw damaged(entry.place, "it overlaps another file.")
        }
        claimed.append(header..<end)
        let stored = bytes[start..<end]
        guard let contents = entry.isDeflated ? Zlib.inflate(stored, length: entry.length) : Data(stored),
            contents.count == entry.length
        else { throw damaged(entry.place, "it does not inflate to the length that the directory says.") }
        guard Zlib.checksum(contents) == entry.checksum else {
            throw damaged(entry.place, "its checksum is wrong.")
        }
        return contents
    }

    /// The start of the directory's end record: the last such record whose comment ends exactly at the archive's end.
    private func directoryEnd() throws(MobileRulesError) -> Int {
        var position = bytes.count - Self.directoryEndLength
        let first = max(position - Self.longestComment, 0)
        while position >= first {
            if number32(position) == Signature.directoryEnd,
                position + Self.directoryEndLength + Int(number16(position + 20)) == bytes.count
            {
                return position
            }
            position -= 1
        }
        throw damaged("it has no directory: it is truncated or not a ZIP archive.")
    }

    private func entry(at position: inout Int, end: Int) throws(MobileRulesError) -> ZIPEntry {
        guard position + Self.directoryEntryLength <= end, number32(position) == Signature.directoryEntry else {
            throw damaged("its directory is damaged.")
        }
        let flags = number16(position + 8)
        let method = number16(position + 10)
        let nameStart = position + Self.directoryEntryLength
        let nameEnd = nameStart + Int(number16(position + 28))
        let next = nameEnd + Int(number16(position + 30)) + Int(number16(position + 32))
        guard next <= end else { throw damaged("its directory is damaged.") }
        let name = bytes[nameStart..<nameEnd]
        let entry = ZIPEntry(
            name: name, path: try path(named: name), isDeflated: method == 8, checksum: number32(position + 16),
            compressedLength: Int(number32(position + 20)), length: Int(number32(position + 24)),
            headerOffset: Int(number32(position + 42)))
        let isEncrypted = flags & (1 << 0 | 1 << 6 | 1 << 13) != 0
        if isEncrypted { throw damaged(entry.place, "it is encrypted, which is not supported.") }
        guard method == 0 || method == 8 else {
            throw damaged(entry.place, "it is compressed by method \(method); use stored or deflated.")
        }
        if entry.length > MobileRulesLimits.inflatedLength {
            throw MobileRulesError(
                .tooLarge, at: entry.place, "it inflates to more than \(MobileRulesLimits.inflatedLength) bytes.")
        }
        position = next
        return entry
    }

    /// The path of an entry: relative, without empty segments, backslashes, colons and control characters.
    ///
    /// `.` segments, which `zip` and `bsdtar` write for a whole folder, are left out. Comparisons use bytes, because a
    /// slash followed by a combining mark is a character that does not equal a slash.
    private func path(named name: Data) throws(MobileRulesError) -> String {
        guard let spelled = String(validating: name, as: UTF8.self), !name.isEmpty else {
            throw damaged("it holds a file whose path is not UTF-8.")
        }
        var segments = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isFolder = segments.count > 1 && segments.last?.isEmpty == true
        if isFolder { segments.removeLast() }
        let leadsOut = segments.first?.isEmpty == true || segments.contains { $0.elementsEqual("..".utf8) }
        if leadsOut {
            throw damaged("it holds a file whose path leads out of it: '\(spelled.excerpt(80))'.")
        }
        let isForbidden: (UInt8) -> Bool = { $0 < 0x20 || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: ":") }
        let isHere: (Data) -> Bool = { $0.elementsEqual(".".utf8) }
        let endsHere = !isFolder && segments.last.map(isHere) == true
        if endsHere || segments.contains(where: \.isEmpty) || name.contains(where: isForbidden) {
            throw damaged("it holds a file whose path cannot be used: '\(spelled.excerpt(80))'.")
        }
        let path = segments.lazy.filter { !isHere($0) }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "/")
        return isFolder ? path + "/" : path
    }

    private func number16(_ offset: Int) -> UInt16 {
        guard offset >= 0, offset + 2 <= bytes.count else { return 0 }
        return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }

    private func number32(_ offset: Int) -> UInt32 { UInt32(number16(offset)) | UInt32(number16(offset + 2)) << 16 }

    private func damaged(_ message: String) -> MobileRulesError { damaged("archive", message) }

    private func damaged(_ place: String, _ message: String) -> MobileRulesError {
        MobileRulesError(.invalidArchive, at: place, message)
    }
}
