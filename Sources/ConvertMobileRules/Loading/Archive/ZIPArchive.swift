internal import ConvertECMAScript
internal import Foundation

/// Reads a ZIP archive from an untrusted source: only stored and deflated files.
///
/// All information in the archive is checked before it is used. An archive is rejected if it is damaged, encrypted,
/// split or 64-bit. It is also rejected if the paths of entries lead out of the archive, if entries overlap, or if
/// sizes exceed ``MobileRulesLimits``.
struct ZIPArchive {
    /// Contents of the files by path. Folders are left out.
    let files: [String: Data]

    /// Reads all files of `archive`.
    init(_ archive: Data) throws(MobileRulesError) {
        if archive.count > MobileRulesLimits.archiveLength {
            throw MobileRulesError(
                .tooLarge, at: "archive", "it is longer than \(MobileRulesLimits.archiveLength) bytes.")
        }
        var reader = ZIPReader(archive)
        let entries = try reader.entries().filter { !$0.isFolder }
        // The stated total size of all files is checked before anything is inflated.
        let length = entries.reduce(0) { $0 + $1.length }
        if length > MobileRulesLimits.inflatedLength {
            throw MobileRulesError(
                .tooLarge, at: "archive", "it inflates to more than \(MobileRulesLimits.inflatedLength) bytes.")
        }
        var files: [String: Data] = [:]
        for entry in entries {
            guard files.updateValue(try reader.contents(of: entry), forKey: entry.path) == nil else {
                throw MobileRulesError(.invalidArchive, at: entry.place, "the archive holds this path twice.")
            }
        }
        self.files = files
    }
}

/// One file in the archive's directory.
struct ZIPEntry {
    /// The bytes of the name, which both the directory and the file's header contain.
    let name: Data
    /// The path within the archive, without `.` segments. The path of a folder ends in a slash.
    let path: String
    let isDeflated: Bool
    let checksum: UInt32
    let compressedLength: Int
    let length: Int
    let headerOffset: Int

    var isFolder: Bool { path.utf8.last == UInt8(ascii: "/") }

    /// The path for messages.
    var place: String { path.excerpt(80) }
}
