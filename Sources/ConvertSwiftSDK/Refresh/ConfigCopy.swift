import ConvertTransport
import Foundation

/// The last good config on disk: a line that tells whose it is and the validators that came with it, then the document.
///
/// One file holds both, written beside and moved into place, so that a crash at any moment leaves a whole copy. Only its
/// owner may read it: a config tells what an app is up to.
struct ConfigCopy: Sendable {
    let url: URL
    let identity: String

    /// The longest first line.
    private static let headLimit = 65_536

    private struct Head: Codable {
        let identity: String
        let validators: HTTPValidators
    }

    /// The copy, or `nil` if there is none or it is another project's or damaged.
    func read(limit: Int) -> (document: Data, validators: HTTPValidators)? {
        let (sum, isTooMuch) = limit.addingReportingOverflow(Self.headLimit)
        guard let data = try? RegularFile.read(url, limit: isTooMuch ? .max : sum),
            let end = data.firstIndex(of: 0x0a),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.identity == identity
        else { return nil }
        return (Data(data[data.index(after: end)...]), head.validators)
    }

    func write(_ document: Data, validators: HTTPValidators) throws {
        var data = try JSONEncoder().encode(Head(identity: identity, validators: validators))
        data.append(0x0a)
        data.append(document)
        try RegularFile.replace(url, with: data)
    }
}
