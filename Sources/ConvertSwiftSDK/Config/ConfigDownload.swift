import ConvertConcurrency
import ConvertTransport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Fetches a config once, without an SDK.
package enum ConfigDownload {
    /// Returns the bytes of the config that an SDK with this key would fetch.
    package static func data(
        of sdkKey: String, _ configuration: SDKConfiguration
    ) async throws(ConvertError) -> Data {
        let endpoint = ConfigEndpoint(sdkKey: sdkKey, secret: nil, configuration: configuration)
        let config = RemoteValue(
            .endpoint { try endpoint.request() }, transport: SystemTransport(), time: SystemTime(),
            whenAbandoned: .isCancelled, read: { $0 })
        do {
            _ = try await config.document.fetch()
        } catch {
            throw ConvertError(fetching: error)
        }
        return config.current ?? Data()
    }
}
