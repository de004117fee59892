public import ConvertTransport
public import Foundation

/// Downloaded rules on disk, one file per URL, with the validators to ask for newer ones.
///
/// A file is written whole and then moved into place, so a crash leaves the old copy or the new one. What cannot be read is
/// as if it were not there. Safe to use from several processes.
public struct RulesCache: Sendable {
    /// A copy that was kept.
    public struct Copy: Sendable, Equatable {
        /// The bytes as they were served: a `rules.json` or an archive.
        public let data: Data
        /// What the server gave with them.
        public let validators: HTTPValidators
    }

    /// The first line of a cache file. The URL tells apart two that share a file's name.
    private struct Head: Codable {
        let url: String
        let validators: HTTPValidators
        let length: Int
        let checksum: UInt32
    }

    private static let longestHead = 64 << 10

    /// The folder of the files; made when the first copy is stored.
    public let folder: URL

    /// A cache in `folder`.
    public init(folder: URL) { self.folder = folder }

    /// The copy of `url`, or `nil` if there is none that can be read.
    public func copy(of url: URL) -> Copy? { try? checkedCopy(of: url) }

    /// The copy of `url`, or `nil` if there is none.
    ///
    /// - Throws: ``MobileRulesError`` if there is one and it cannot be read.
    func checkedCopy(of url: URL) throws(MobileRulesError) -> Copy? {
        let file = file(for: url)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int,
            size <= MobileRulesLimits.archiveLength + Self.longestHead, let contents = try? Data(contentsOf: file),
            let lineEnd = contents.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: contents[..<lineEnd])
        else { throw MobileRulesError(.unreachable, at: file.path, "this cached copy is damaged or cannot be read.") }
        // Of another URL that shares the file's name.
        if head.url != url.absoluteString { return nil }
        let data = Data(contents[contents.index(after: lineEnd)...])
        guard data.count == head.length, Zlib.checksum(data) == head.checksum else {
            throw MobileRulesError(.unreachable, at: file.path, "this cached copy is damaged.")
        }
        return Copy(data: data, validators: head.validators)
    }

    /// Keeps a copy of what `url` served in place of the one before.
    ///
    /// - Throws: ``MobileRulesError`` if it cannot be written.
    public func store(_ data: Data, validators: HTTPValidators, for url: URL) throws(MobileRulesError) {
        let head = Head(
            url: url.absoluteString, validators: validators, length: data.count, checksum: Zlib.checksum(data))
        let file = file(for: url)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let line = try JSONEncoder().encode(head)
            try (line + Data("\n".utf8) + data).write(to: file, options: .atomic)
        } catch {
            throw MobileRulesError(
                .unreachable, at: file.path, "the rules cannot be kept here; the folder must be writable.")
        }
    }

    /// Keeps `validators` with the copy of `url` in place of `former`, which the server has said they follow.
    ///
    /// Does nothing if the copy has others: then it is not the one that the server spoke of.
    func replaceValidators(_ former: HTTPValidators, with validators: HTTPValidators, for url: URL)
        throws(MobileRulesError)
    {
        if former == validators { return }
        guard let copy = try checkedCopy(of: url), copy.validators == former else { return }
        try store(copy.data, validators: validators, for: url)
    }

    /// Forgets the copy of `url`.
    public func removeCopy(of url: URL) { try? FileManager.default.removeItem(at: file(for: url)) }

    /// FNV-1a, 64 bits, of the URL: names that every file system takes.
    private func file(for url: URL) -> URL {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in url.absoluteString.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return folder.appending(path: "rules-" + String(hash, radix: 16))
    }
}
