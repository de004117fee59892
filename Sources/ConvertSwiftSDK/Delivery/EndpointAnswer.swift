import ConvertMonitoring

/// The meaning of the tracking endpoint's status for the events of a request.
enum EndpointAnswer: Sendable, Hashable {
    /// The endpoint accepted the events.
    case taken
    /// The endpoint refuses part of the request's body. Sent in smaller requests, the other events may be accepted.
    case refusedBody
    /// The status does not concern the events: they wait and are sent again.
    case outage(DeliveryOutage.Cause)

    /// Classifies `status`. An unknown status keeps the events: sending them late costs less than losing them.
    init(status: Int) {
        self =
            switch status {
            case 200...299: .taken
            // Bad Request, Content Too Large, Unprocessable Content.
            case 400, 413, 422: .refusedBody
            // Unauthorized, Payment Required, Forbidden.
            case 401, 402, 403: .outage(.credentials)
            // Redirects that the transport did not follow; Not Found, Method Not Allowed, Gone, URI Too Long,
            // Misdirected Request.
            case 300...399, 404, 405, 410, 414, 421: .outage(.address)
            // Proxy Authentication Required, Too Early, Unavailable For Legal Reasons, Network Authentication Required.
            case 407, 425, 451, 511: .outage(.proxy)
            // Request Timeout, Too Many Requests.
            case 408, 429: .outage(.unavailable)
            // Not Implemented, HTTP Version Not Supported, Not Extended.
            case 400...499, 501, 505, 510: .outage(.request)
            default: .outage(.unavailable)
            }
    }
}
