internal import ConvertTransport
public import Foundation

/// Downloaded rules on disk, one file per source, with what to ask for newer ones with.
///
/// A file is written whole and then moved into place, so a crash leaves the old copy or the new one. Only its owner may read
/// it. It names the URL without user, password and query, in which secrets may stand. What cannot be read is as if it were
/// not there. Safe to use from several processes.
public struct RulesCache: Sendable {
    /// The folder of the files; made for its owner alone when the first copy is stored.
    public let folder: URL

    /// A cache in `folder`.
    public init(folder: URL) { self.folder = folder }

    /// The place of the copy of `url`.
    /// - Parameter source: what named the URL, if something did: its copies take each other's place, because a URL that is
    ///   signed anew each time would fill the disk.
    func copy(of url: URL, namedBy source: String? = nil) -> DocumentCopy {
        let owner = source.map { "named by \($0)" } ?? url.absoluteString
        let file = folder.appending(path: "rules-" + String(owner.utf8.fnv1a, radix: 16))
        // A hash tells apart what differs in the parts that may be secret.
        return DocumentCopy(
            file: file, identity: "\(url.withoutSecrets) \(String(url.absoluteString.utf8.fnv1a, radix: 16))")
    }
}
