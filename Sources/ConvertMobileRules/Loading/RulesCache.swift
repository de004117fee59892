internal import ConvertTransport
public import Foundation

/// Downloaded rules on disk: one file per source, with the headers for requesting newer rules.
///
/// A file is written completely and then moved into place, so after a crash there is either the old copy or the new
/// copy. Only the file's owner can read it. The file contains the URL without user, password and query, which may be
/// secret. Unreadable files count as missing. Safe to use from several processes.
public struct RulesCache: Sendable {
    /// The folder of the files. It is created when the first copy is stored, with access for its owner only.
    public let folder: URL

    /// Creates a cache in `folder`.
    public init(folder: URL) { self.folder = folder }

    /// The place of the copy of `url`.
    ///
    /// - Parameter source: the document that named the URL, or `nil`. All URLs that a document names share one copy,
    ///   because a URL that is signed anew each time would otherwise fill the disk.
    func copy(of url: URL, namedBy source: String? = nil) -> DocumentCopy {
        let owner = source.map { "named by \($0)" } ?? url.absoluteString
        let file = folder.appending(path: "rules-" + String(owner.utf8.fnv1a, radix: 16))
        // A hash distinguishes URLs that differ in parts that may be secret.
        return DocumentCopy(
            file: file, identity: "\(url.withoutSecrets) \(String(url.absoluteString.utf8.fnv1a, radix: 16))")
    }
}
