import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the requests that carry tracking events, and reads their responses.
struct TrackingEndpoint: Sendable {
    /// The address, in which `[project_id]` stands for the project's id.
    let address: String
    let secret: String?
    let source: String
    let enrichesData: Bool
    let timeout: Duration
    let allows: @Sendable (URL) -> Bool
    let mapBody: (@Sendable (JSObject) -> JSObject)?

    /// The metrics host answers 200 to other agents and drops what they send.
    static let userAgent = "ConvertAgent/1.0"

    /// What the endpoint answers is not looked at beyond its status.
    private static let maximumResponseLength = 1 << 20

    /// Why there is no request for events.
    enum Fault: Error {
        /// The address is no URL, or one that must not be used.
        case address
        /// The events' SDK key or ids cannot become a part of a URL, whatever the address.
        case destination
    }

    /// The request for `events`, which all have one destination.
    func request(for events: [QueuedEvent]) throws(Fault) -> HTTPRequest {
        guard let destination = events.first?.destination else { throw .destination }
        guard let url = URL(string: try address(of: destination)), url.hasUsableHost, allows(url) else {
            throw .address
        }
        var headers = ["Content-Type": "application/json", "User-Agent": Self.userAgent]
        if let secret { headers["Authorization"] = "Bearer \(secret)" }
        return HTTPRequest(
            method: "POST", url: url, headers: headers, body: Data(body(of: events, to: destination).utf8),
            timeout: timeout.seconds, maximumResponseLength: Self.maximumResponseLength)
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
        var base = address
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
            "enrichData": .bool(enrichesData), "accountId": destination.accountID, "projectId": destination.projectID,
            "visitors": batch.visitors, "source": .string(source),
        ]
        return ECMAScript.jsonText(of: .object(mapBody?(body) ?? body))
    }

    /// What a response means for the events. Only its status counts: the endpoint had the whole request before it sent
    /// that, so whatever becomes of the response's body, to send the events again would be to count them twice.
    static func result(status: Int, retryAfter: String?, at date: Date) -> DeliveryState.SendResult {
        switch EndpointAnswer(status: status) {
        case .taken: .delivered
        case .refusedBody: .refused(status: status)
        case .outage(let cause): .failed(cause, status: status, retryAfter: RetryAfter.delay(retryAfter, at: date))
        }
    }
}

extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
