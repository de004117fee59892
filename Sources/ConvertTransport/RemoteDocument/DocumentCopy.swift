#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A fetched document on disk: a line with its identity and validators, followed by the document.
///
/// One file contains both. It is written under another name and then moved into place, so that a crash at any time
/// leaves a complete copy. Only the file's owner may read it, because a document reveals an app's configuration. Safe
/// to use from several processes.
package struct DocumentCopy: Sendable {
    /// The contents of a copy.
    package typealias Contents = (document: Data, validators: HTTPValidators)

    /// The file exists but does not contain a complete copy.
    package struct Damage: Error, CustomStringConvertible {
        /// The problem.
        package var description: String {
            "the file is damaged, too long, not a regular file, or writable by other users"
        }
    }

    private struct Head: Codable {
        let identity: String
        let validators: HTTPValidators
        let length: Int
        let checksum: UInt64
    }

    /// The maximum length of the first line, in bytes.
    private static let longestHead = 65_536

    /// The file.
    package let file: URL
    /// Identifies the document; a copy with another identity is ignored. It is written to the file, so it must not
    /// contain secrets.
    package let identity: String

    /// Creates the copy in `file` of the document with this identity.
    package init(file: URL, identity: String) {
        self.file = file
        self.identity = identity
    }

    /// Returns the copy, or `nil` if there is no file or the copy is of another document.
    /// - Parameter limit: the maximum length of the document, in bytes.
    /// - Throws: ``Damage`` if the file cannot be read as a copy.
    package func read(limit: Int) throws(Damage) -> Contents? {
        // This follows links, which may be broken.
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let (sum, isTooMuch) = limit.addingReportingOverflow(Self.longestHead)
        guard let data = try? RegularFile.read(file, limit: isTooMuch ? .max : sum, isOwn: true),
            let end = data.prefix(Self.longestHead).firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end])
        else { throw Damage() }
        if head.identity != identity { return nil }
        let document = Data(data[data.index(after: end)...])
        guard document.count == head.length, document.count <= limit, document.fnv1a == head.checksum else {
            throw Damage()
        }
        return (document, head.validators)
    }

    /// Writes `document` in place of the earlier copy.
    package func write(_ document: Data, validators: HTTPValidators) throws {
        let head = Head(
            identity: identity, validators: validators, length: document.count, checksum: document.fnv1a)
        var data = try JSONEncoder().encode(head)
        data.append(UInt8(ascii: "\n"))
        data.append(document)
        try RegularFile.replace(file, with: data)
    }

    /// Stores `validators` in place of `former`, after the server has confirmed the document with them.
    ///
    /// Does nothing if the copy has other validators: another process has then updated it, and the server's answer does
    /// not apply to it.
    /// - Returns: whether it wrote.
    func replaceValidators(_ former: HTTPValidators, with validators: HTTPValidators, limit: Int) throws -> Bool {
        guard former != validators, let copy = try read(limit: limit), copy.validators == former else { return false }
        try write(copy.document, validators: validators)
        return true
    }
}

extension Sequence<UInt8> {
    /// 64-bit FNV-1a of the bytes, to detect damage and to name files. It does not keep secrets.
    package var fnv1a: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
