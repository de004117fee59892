internal import ConvertConcurrency
internal import ConvertTransport
internal import Foundation

/// Reads a configuration document, again and again if it is at an endpoint or in a file.
final class RulesConfigurationReader: Sendable {
    /// The longest document, in bytes.
    private static let longestDocument = 1 << 20

    private let place: RulesSource.Configuration
    private let document: RemoteDocument?
    private let adopted: Adopted

    private final class Adopted: Sendable {
        let configuration = Mutex<RulesConfiguration?>(nil)
    }

    init(_ place: RulesSource.Configuration, transport: any HTTPTransport, cache: RulesCache?) {
        self.place = place
        let adopted = Adopted()
        self.adopted = adopted
        guard case .url(let url) = place else {
            document = nil
            return
        }
        document = RemoteDocument(
            .endpoint { try .rules(at: url, limit: Self.longestDocument) }, copy: cache?.copy(of: url),
            transport: transport, time: SystemTime(), whenAbandoned: .isCancelled,
            consumer: RemoteDocument.Consumer { data in
                let configuration = try RulesConfiguration(json: data, at: url.withoutSecrets)
                adopted.configuration.withLock { $0 = configuration }
            })
    }

    /// What the document says now.
    func read() async throws -> RulesConfiguration {
        switch place {
        case .data(let data): return try RulesConfiguration(json: data, at: place.place)
        case .file(let file):
            return try RulesConfiguration(json: .rulesFile(file, limit: Self.longestDocument), at: place.place)
        case .url:
            _ = try await document?.fetch()
            return adopted.configuration.withLock { $0 } ?? RulesConfiguration(rulesURL: nil)
        }
    }

    /// What it says as far as that is known without the network; `nil` if it is not.
    func restore() async throws -> RulesConfiguration? {
        guard let document else { return try await read() }
        _ = try await document.restore(limit: Self.longestDocument)
        return adopted.configuration.withLock { $0 }
    }
}
