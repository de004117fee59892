import ConvertTransport
import Foundation

/// The last good config on disk: a line that tells whose it is and the validators that came with it, then the document.
///
/// One file holds both, written beside and moved into place, so that a crash at any moment leaves a whole copy.
struct ConfigCopy: Sendable {
    let url: URL
    let identity: String

    private struct Head: Codable {
        let identity: String
        let validators: HTTPValidators
    }

    /// The copy, or `nil` if there is none or it is another project's or damaged.
    func read(limit: Int) -> (document: Data, validators: HTTPValidators)? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: limit + 65_536), let end = data.firstIndex(of: 0x0a),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.identity == identity
        else { return nil }
        return (Data(data[data.index(after: end)...]), head.validators)
    }

    func write(_ document: Data, validators: HTTPValidators) throws {
        var data = try JSONEncoder().encode(Head(identity: identity, validators: validators))
        data.append(0x0a)
        data.append(document)
        try data.write(to: url, options: .atomic)
    }
}
