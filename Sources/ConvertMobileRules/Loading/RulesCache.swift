internal import ConvertTransport
public import Foundation

/// Downloaded rules on disk, one file per URL, with what to ask for newer ones with.
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
    func copy(of url: URL) -> DocumentCopy {
        // The file's name tells apart what differs in the parts that the file itself does not name.
        let name = "rules-" + String(url.absoluteString.utf8.fnv1a, radix: 16)
        return DocumentCopy(file: folder.appending(path: name), identity: url.withoutSecrets)
    }
}
