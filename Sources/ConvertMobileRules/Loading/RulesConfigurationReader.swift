internal import ConvertConcurrency
internal import ConvertTransport
internal import Foundation

/// Reads a configuration document, repeatedly if it is at an endpoint or in a file.
final class RulesConfigurationReader: Sendable {
    /// The longest document, in bytes.
    private static let longestDocument = 1 << 20

    private let place: RulesSource.Configuration
    /// The configuration at an endpoint; `nil` if it is elsewhere.
    private let remote: RemoteValue<RulesConfiguration>?

    /// Creates a reader.
    ///
    /// - Parameter copyEnded: called after the copy was written to disk, or with the error if writing failed.
    init(
        _ place: RulesSource.Configuration, transport: any HTTPTransport, copy: DocumentCopy?, time: any TimeSource,
        copyEnded: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.place = place
        guard case .url(let url) = place else {
            remote = nil
            return
        }
        remote = RemoteValue(
            .endpoint { try .rules(at: url, limit: Self.longestDocument) }, copy: copy, transport: transport,
            time: time, whenAbandoned: .isCancelled,
            read: { try RulesConfiguration(json: $0, at: url.withoutSecrets) }, copyEnded: copyEnded)
    }

    /// Reads the current configuration.
    func read() async throws -> RulesConfiguration {
        switch place {
        case .data(let data): return try RulesConfiguration(json: data, at: place.place)
        case .file(let file):
            return try RulesConfiguration(json: .rulesFile(file, limit: Self.longestDocument), at: place.place)
        case .url:
            _ = try await remote?.document.fetch()
            return remote?.current ?? RulesConfiguration(rulesURL: nil)
        }
    }

    /// The configuration that is known without the network; `nil` if no configuration is known.
    func restore() async throws -> RulesConfiguration? {
        guard let remote else { return try await read() }
        _ = try await remote.document.restore(limit: Self.longestDocument)
        return remote.current
    }
}
