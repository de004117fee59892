import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates the requests that fetch a config.
struct ConfigEndpoint: Sendable {
    let sdkKey: String
    let secret: String?
    let configuration: SDKConfiguration

    /// Creates the request.
    ///
    /// - Parameter experienceID: an experience to include although it does not run; `nil` for the config alone.
    /// - Throws: ``ConvertError`` if the key or the endpoint's address is unusable.
    func request(previewing experienceID: String? = nil) throws(ConvertError) -> HTTPRequest {
        guard EndpointName.isKey(sdkKey) else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the SDK key is empty or malformed; use your project's SDK key, such as 1001/2002.")
        }
        let base = configuration.configEndpoint
        let address = base + (base.hasSuffix("/") ? "" : "/") + "config/" + sdkKey + query(experienceID)
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.hasUsableHost
        else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the config endpoint is not an http or https URL with an ASCII host; correct it.")
        }
        guard configuration.allows(url) else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the config endpoint is a plain http URL; use https, or set allowsPlainHTTP.")
        }
        var headers = ["Content-Type": "application/json", "User-Agent": TrackingEndpoint.userAgent]
        if let secret { headers["Authorization"] = "Bearer \(secret)" }
        return HTTPRequest(
            url: url, headers: headers, timeout: configuration.requestTimeout.seconds,
            maximumResponseLength: configuration.maximumConfigLength)
    }

    /// The query, in the order of the JavaScript SDK.
    private func query(_ experienceID: String?) -> String {
        var items: [String] = []
        if !configuration.environment.isEmpty {
            items.append("environment=\(PercentEncoding.encode(configuration.environment))")
        }
        if let experienceID { items.append("exp=\(PercentEncoding.encode(experienceID))") }
        let isFresh = configuration.cacheLevel == .low || configuration.debugToken != nil || experienceID != nil
        if isFresh { items.append("_conv_low_cache=1") }
        if let token = configuration.debugToken { items.append("debug_token=\(PercentEncoding.encode(token))") }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }

    /// Identifies the config of a copy on disk. Contains no secrets: user, password and query of the endpoint's URL are
    /// left out.
    var identity: String {
        let base = URL(string: configuration.configEndpoint)?.withoutSecrets ?? ""
        return "\(base) \(sdkKey) \(configuration.environment)"
    }
}

extension URL {
    /// Whether the URL has a host that can be contacted. FoundationEssentials alone accepts any text as a host and
    /// percent-encodes it; full Foundation rejects it or converts it to ASCII (RFC 3492). A percent sign is valid only
    /// in an IPv6 address.
    var hasUsableHost: Bool {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return false }
        return host.contains(":") || !host.contains("%")
    }
}
