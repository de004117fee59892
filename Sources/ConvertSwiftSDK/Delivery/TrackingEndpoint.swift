import ConvertECMAScript
import ConvertMonitoring
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates the requests for tracking events, and interprets their responses.
struct TrackingEndpoint: Sendable {
    let configuration: SDKConfiguration
    let secret: String?

    /// The metrics host answers 200 to other agents, and drops their events.
    static let userAgent = "ConvertAgent/1.0"

    /// Only the status of the response is used.
    private static let maximumResponseLength = 1 << 20

    /// Why no request can be created.
    enum Fault: Error {
        /// The address is not a URL, or is one that must not be used.
        case address
        /// The events' SDK key or ids cannot be part of a URL, whatever the address.
        case destination
    }

    /// Creates the request for `events`, which all have the same destination.
    func request(for events: [QueuedEvent]) throws(Fault) -> HTTPRequest {
        guard let destination = events.first?.destination else { throw .destination }
        guard let url = URL(string: try address(of: destination)), url.hasUsableHost, configuration.allows(url)
        else { throw .address }
        var headers = ["Content-Type": "application/json", "User-Agent": Self.userAgent]
        if let secret { headers["Authorization"] = "Bearer \(secret)" }
        return HTTPRequest(
            method: "POST", url: url, headers: headers, body: Data(body(of: events, to: destination).utf8),
            timeout: configuration.requestTimeout.seconds, maximumResponseLength: Self.maximumResponseLength)
    }

    private func address(of destination: TrackingDestination) throws(Fault) -> String {
        let placeholder = "[project_id]"
        let path: String
        if let sdkKey = destination.sdkKey {
            guard EndpointName.isKey(sdkKey) else { throw .destination }
            path = sdkKey
        } else {
            path = "\(try id(destination.accountID))/\(try id(destination.projectID))"
        }
        var base = configuration.trackEndpoint
        if base.contains(placeholder) { base.replace(placeholder, with: try id(destination.projectID)) }
        return base + (base.hasSuffix("/") ? "" : "/") + "track/" + path
    }

    private func id(_ value: JSValue) throws(Fault) -> String {
        let text = ECMAScript.toString(value)
        guard EndpointName.isID(text) else { throw .destination }
        return text
    }

    private func body(of events: [QueuedEvent], to destination: TrackingDestination) -> String {
        var batch = TrackingBatch()
        for event in events { batch.append(event.payload, visitorID: event.visitorID, segments: event.segments) }
        let body: JSObject = [
            "enrichData": .bool(configuration.ledger == nil), "accountId": destination.accountID,
            "projectId": destination.projectID, "visitors": batch.visitors, "source": .string(configuration.source),
        ]
        return ECMAScript.jsonText(of: .object(configuration.trackingBodyMapper?(body) ?? body))
    }

    /// The result of a request. Only the status counts: the endpoint received the whole request before it sent the
    /// status, so sending the events again because of an incomplete response would count them twice.
    ///
    /// An unknown status keeps the events: sending them late costs less than losing them.
    static func result(status: Int, retryAfter: String?, at date: Date) -> DeliveryState.SendResult {
        func outage(_ cause: DeliveryOutage.Cause) -> DeliveryState.SendResult {
            .failed(cause, status: status, retryAfter: RetryAfter.delay(retryAfter, at: date))
        }
        return switch status {
        case 200...299: .delivered
        // Bad Request, Content Too Large, Unprocessable Content.
        case 400, 413, 422: .refused(status: status)
        // Unauthorized, Payment Required, Forbidden.
        case 401, 402, 403: outage(.credentials)
        // Redirects that the transport did not follow; Not Found, Method Not Allowed, Gone, URI Too Long,
        // Misdirected Request.
        case 300...399, 404, 405, 410, 414, 421: outage(.address)
        // Proxy Authentication Required, Too Early, Unavailable For Legal Reasons, Network Authentication Required.
        case 407, 425, 451, 511: outage(.proxy)
        // Request Timeout, Too Many Requests.
        case 408, 429: outage(.unavailable)
        // Not Implemented, HTTP Version Not Supported, Not Extended.
        case 400...499, 501, 505, 510: outage(.request)
        default: outage(.unavailable)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
