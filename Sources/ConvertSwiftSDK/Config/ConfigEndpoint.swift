import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the requests that fetch a config.
struct ConfigEndpoint: Sendable {
    let sdkKey: String
    let secret: String?
    let configuration: SDKConfiguration

    /// The request, or an error if key or address cannot make one.
    ///
    /// - Parameter experienceID: an experience to be served although it does not run, or `nil` for the config.
    func request(previewing experienceID: String? = nil) throws(ConvertError) -> HTTPRequest {
        guard EndpointName.isKey(sdkKey) else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the SDK key is empty or malformed; give the one of your project, such as 1001/2002.")
        }
        let base = configuration.configEndpoint
        let address = base + (base.hasSuffix("/") ? "" : "/") + "config/" + sdkKey + query(experienceID)
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.hasUsableHost
        else {
            throw ConvertError(
                code: .invalidConfiguration,
                message: "the config endpoint is no http or https URL with a host in ASCII; correct it.")
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

    /// The query, in the reference's order.
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

    /// Whose config a copy on disk holds. It has no user and password that the endpoint's URL may have, nor its query.
    var identity: String {
        let base = URL(string: configuration.configEndpoint)?.withoutSecrets ?? ""
        return "\(base) \(sdkKey) \(configuration.environment)"
    }
}

extension URL {
    /// Whether there is a host that can be asked. FoundationEssentials alone takes any text for a host and
    /// percent-encodes it; full Foundation refuses it, or spells it in ASCII (RFC 3492). Only in an IPv6 address a
    /// percent sign has a meaning.
    var hasUsableHost: Bool {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return false }
        return host.contains(":") || !host.contains("%")
    }
}
