import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ConvertError {
    /// The error for what an SDK that was shut down does no more.
    static var shutDown: ConvertError {
        ConvertError(code: .shutDown, message: "the SDK was shut down; make another one to fetch a config.")
    }

    /// The error for an SDK that fetches nothing and was given no config.
    static var offline: ConvertError {
        ConvertError(
            code: .invalidConfiguration,
            message: "the SDK is offline and has no config; give it one as a value, as data or as a file, or a "
                + "configCopyFile that an SDK with the same key and environment wrote.")
    }

    /// The error for a fetch that failed with `error`.
    init(fetching error: any Error) {
        switch error {
        case let error as ConvertError: self = error
        case let error as RemoteDocumentError: self = .unavailable(status: error.status)
        default:
            self.init(code: .configUnavailable, message: "the config could not be fetched: \(error.forLog).")
        }
    }

    /// The error for a response other than a config.
    private static func unavailable(status: Int) -> ConvertError {
        let isDenied = [401, 403, 404].contains(status)
        return ConvertError(
            code: isDenied ? .accessDenied : .configUnavailable,
            message: "the config endpoint answered \(status)"
                + (isDenied ? "; check the SDK key, its secret and the environment." : "; it is tried again."))
    }
}

extension ProjectConfig {
    /// The config in what was fetched.
    init(fetched data: Data) throws(ConvertError) {
        do {
            try self.init(json: data)
        } catch {
            throw ConvertError(code: .invalidConfig, message: "what was fetched is no project config: \(error)")
        }
    }
}
