#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A document that was fetched, kept on disk: a line that tells whose it is and the validators that came with it, then the
/// document.
///
/// One file holds both, written beside and moved into place, so that a crash at any moment leaves a whole copy. Only its
/// owner may read it: a document tells what an app is up to. Safe to use from several processes.
package struct DocumentCopy: Sendable {
    /// What a copy holds.
    package typealias Contents = (document: Data, validators: HTTPValidators)

    /// There is a file, and no whole copy in it.
    package struct Damage: Error, CustomStringConvertible {
        /// What is wrong.
        package var description: String {
            "the file is damaged, too long, no regular file, or one that others may write"
        }
    }

    private struct Head: Codable {
        let identity: String
        let validators: HTTPValidators
        let length: Int
        let checksum: UInt64
    }

    /// The longest first line, in bytes.
    private static let longestHead = 65_536

    /// The file.
    package let file: URL
    /// Whose document it is; a copy of another one counts as none. It stands in the file, so it holds no secrets.
    package let identity: String

    /// The copy in `file` of the document that `identity` names.
    package init(file: URL, identity: String) {
        self.file = file
        self.identity = identity
    }

    /// The copy, or `nil` if there is none or it is of another document.
    /// - Parameter limit: how long the document may be, in bytes.
    /// - Throws: ``Damage`` if there is one that cannot be read.
    package func read(limit: Int) throws(Damage) -> Contents? {
        // Through a link, too, which may lead nowhere.
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

    /// Keeps `document` in place of what there was.
    package func write(_ document: Data, validators: HTTPValidators) throws {
        let head = Head(
            identity: identity, validators: validators, length: document.count, checksum: document.fnv1a)
        var data = try JSONEncoder().encode(head)
        data.append(UInt8(ascii: "\n"))
        data.append(document)
        try RegularFile.replace(file, with: data)
    }

    /// Keeps `validators` with the copy in place of `former`, which the server has said they follow.
    ///
    /// Does nothing if the copy has others: then another process has brought it up to date, and it is not the one that the
    /// server spoke of.
    /// - Returns: whether it wrote.
    func replaceValidators(_ former: HTTPValidators, with validators: HTTPValidators, limit: Int) throws -> Bool {
        guard former != validators, let copy = try read(limit: limit), copy.validators == former else { return false }
        try write(copy.document, validators: validators)
        return true
    }
}

extension Sequence<UInt8> {
    /// FNV-1a of the bytes, 64 bits: tells damage and names files. It keeps nothing secret.
    package var fnv1a: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
