import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ConvertError {
    /// The error for calls after the shutdown.
    static var shutDown: ConvertError {
        ConvertError(code: .shutDown, message: "the SDK was shut down; create another one to fetch a config.")
    }

    /// The error of an offline SDK without a config.
    static var offline: ConvertError {
        ConvertError(
            code: .invalidConfiguration,
            message: "the SDK is offline and has no config; give it one as a value, as data or as a file, or a "
                + "configCopyFile that an SDK with the same key and environment wrote.")
    }

    /// Creates the error for a fetch that failed with `error`.
    init(fetching error: any Error) {
        switch error {
        case let error as ConvertError: self = error
        case let error as RemoteDocumentError: self = .unavailable(status: error.status)
        default:
            self.init(code: .configUnavailable, message: "the config could not be fetched: \(error.forLog).")
        }
    }

    /// The error for a response that is not a config.
    private static func unavailable(status: Int) -> ConvertError {
        let isDenied = [401, 403, 404].contains(status)
        return ConvertError(
            code: isDenied ? .accessDenied : .configUnavailable,
            message: "the config endpoint answered \(status)"
                + (isDenied ? "; check the SDK key, its secret and the environment." : "; the SDK retries."))
    }
}

extension ProjectConfig {
    /// Reads the config from fetched bytes.
    init(fetched data: Data) throws(ConvertError) {
        do {
            try self.init(json: data)
        } catch {
            throw ConvertError(code: .invalidConfig, message: "the fetched data is not a project config: \(error)")
        }
    }
}
