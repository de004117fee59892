import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of configs.
enum ConfigSource: Sendable {
    /// A config that the app passed, with its revision if the app passed a document.
    case fixed(ProjectConfig, ConfigRevision? = nil)
    /// A file, read again at every refresh.
    case file(URL)
    /// The CDN.
    case cdn(ConfigEndpoint)

    var endpoint: ConfigEndpoint? {
        if case .cdn(let endpoint) = self { endpoint } else { nil }
    }

    var sdkKey: String? { endpoint?.sdkKey }

    /// The origin of the documents; `nil` for a config that the app passed.
    func origin(_ configuration: SDKConfiguration, isOffline: Bool) -> RemoteDocument.Origin? {
        switch self {
        case .fixed: nil
        case .file(let url): .file { try Self.read(url, limit: configuration.maximumConfigLength) }
        case .cdn(let endpoint):
            .endpoint {
                if isOffline { throw ConvertError.offline }
                return try endpoint.request()
            }
        }
    }

    /// The copy on disk; `nil` if no copy is kept.
    func copy(_ configuration: SDKConfiguration) -> DocumentCopy? {
        // The drafts that a debug token makes visible must not appear at a start without the token.
        guard let endpoint, let file = configuration.configCopyFile, file.isFileURL, configuration.debugToken == nil
        else {
            return nil
        }
        return DocumentCopy(file: file, identity: endpoint.identity)
    }

    private static func read(_ url: URL, limit: Int) throws(ConvertError) -> Data {
        guard url.isFileURL else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the config file's URL is not a file URL; to fetch a config, use an SDK key.")
        }
        do {
            return try RegularFile.read(url, limit: limit)
        } catch RegularFile.Failure.tooLong {
            throw ConvertError(
                code: .configUnavailable,
                message: "'\(url.path)' is longer than \(limit) bytes; "
                    + "give a shorter file or a larger maximumConfigLength.")
        } catch RegularFile.Failure.system(let number) {
            throw ConvertError(
                code: .configUnavailable, message: "\(FileFailure(number, at: url.path, .read)).")
        } catch {
            throw ConvertError(
                code: .configUnavailable,
                message: "'\(url.path)' cannot be read or is not a regular file; give the path of a project config.")
        }
    }
}
