import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

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

    /// The request for `events`, which all have one destination; `nil` if the address is none, or one that must not be
    /// used.
    func request(for events: [QueuedEvent]) -> HTTPRequest? {
        guard let destination = events.first?.destination, let url = url(for: destination), allows(url) else {
            return nil
        }
        var headers = ["Content-Type": "application/json", "User-Agent": Self.userAgent]
        if let secret { headers["Authorization"] = "Bearer \(secret)" }
        return HTTPRequest(
            method: "POST", url: url, headers: headers, body: Data(body(of: events, to: destination).utf8),
            timeout: timeout.seconds, maximumResponseLength: Self.maximumResponseLength)
    }

    private func url(for destination: TrackingDestination) -> URL? {
        let project = ECMAScript.toString(destination.projectID)
        let base = address.replacing("[project_id]", with: project.pathComponent)
        let path =
            destination.sdkKey.map(\.pathWithSlashes)
            ?? "\(ECMAScript.toString(destination.accountID).pathComponent)/\(project.pathComponent)"
        return URL(string: base + (base.hasSuffix("/") ? "" : "/") + "track/" + path)
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

    /// What a response means for the events. Only its status counts: the endpoint had the whole request before it sent that,
    /// so whatever becomes of the response's body, to send the events again would be to count them twice.
    static func result(status: Int, retryAfter: String?, at date: Date) -> DeliveryState.SendResult {
        switch status {
        case 200..<300: return .delivered
        case 408, 429: break
        case 400..<500: return .refused(status: status)
        default: break
        }
        return .failed(status: status, retryAfter: RetryAfter.delay(retryAfter, at: date))
    }
}

extension String {
    /// As one component of a URL's path.
    var pathComponent: String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "/;")
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// As several components of a URL's path: SDK keys of some projects have a slash in them.
    var pathWithSlashes: String {
        split(separator: "/", omittingEmptySubsequences: false).map { String($0).pathComponent }.joined(separator: "/")
    }

    /// As a value in a URL's query.
    var queryValue: String {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? ""
    }
}

extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
