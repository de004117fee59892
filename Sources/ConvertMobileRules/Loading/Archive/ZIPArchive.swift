internal import ConvertECMAScript
internal import Foundation

/// Reads a ZIP archive that is not trusted: stored and deflated files, nothing else.
///
/// Everything an archive says about itself is checked before it is acted on. Refused are archives that are damaged,
/// encrypted, split or of the 64-bit kind, entries whose paths leave the archive or lie over each other, and sizes beyond
/// ``MobileRulesLimits``.
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
        // Before anything is inflated: what all files together say they come to.
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

/// One file as the archive's directory lists it.
struct ZIPEntry {
    /// The bytes of its name, as both of its records have them.
    let name: Data
    /// The path within the archive, without segments that are `.`; that of a folder ends in a slash.
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
